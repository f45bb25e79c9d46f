"""Layer 3: the only place that knows Gymnasium's reset and step."""
