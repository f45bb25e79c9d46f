"""ThrowBottles: put bottles into a bin that one arm cannot reach."""
