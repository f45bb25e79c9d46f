"""ThrowBottles: put bottles into a bin that only one arm reaches."""
