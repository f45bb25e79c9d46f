"""Layer 1: machinery that several tasks share. No task is named in here."""
