"""Random filters, and a second judgement of what they compile to."""
