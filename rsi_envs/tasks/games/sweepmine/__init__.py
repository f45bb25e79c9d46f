"""Sweepmine: find every mine on a partly seen board (papers/000 B.2)."""
