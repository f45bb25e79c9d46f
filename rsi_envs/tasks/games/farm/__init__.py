"""Farm: plan what to plant, when, under limits of cash, land and time (papers/000 B.1)."""
