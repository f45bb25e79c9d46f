"""Side-by-side measurements of speed and quality; each is one command, none is a test."""
