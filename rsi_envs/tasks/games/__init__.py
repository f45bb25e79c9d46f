"""The six games of SelfImprove-Bench (papers/000)."""
