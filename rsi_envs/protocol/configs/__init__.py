"""The shipped configurations, as TOML files; `Config.load` finds them by name."""
