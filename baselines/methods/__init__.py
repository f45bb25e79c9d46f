"""Methods that improve agents; found by name through the entry points `rsi_envs.methods`."""
