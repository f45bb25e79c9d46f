"""Robot arms on a table: simulation by MuJoCo, pictures by our ray caster."""
