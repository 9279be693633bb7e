"""Filters over metadata: one tree for several grammars, its evaluation, and the conditions on index rows."""
