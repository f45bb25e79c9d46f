"""LargestNumber: lay digit tiles on mats so that they read the largest number."""
