"""Robot tasks of Flex-RSI's action area (papers/002 A.1)."""
