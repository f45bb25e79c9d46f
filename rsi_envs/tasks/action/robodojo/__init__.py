"""RoboDojo's tasks at a bench with two arms (papers/002 A.1). What they share is in dojo.py."""
