"""Files of evaluation: test sets in the layout of BEIR, and conversations."""
