"""Layer 0: the task contract. Rules over data, with no reset/step API in sight."""
