"""NestingDolls: line dolls up by size."""
