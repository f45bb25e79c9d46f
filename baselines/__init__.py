"""Layer 6: everything that acts or learns."""

if __name__ != "rsi_envs.baselines":
    raise ImportError("import rsi_envs.baselines; a bare 'baselines' would be a second copy of it")
