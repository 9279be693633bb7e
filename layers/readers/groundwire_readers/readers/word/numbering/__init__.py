"""Numbers of headings and list items, as Word computes them."""
