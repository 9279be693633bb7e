"""A wall of AWS's refusals: rules that an emulator does not know, each with its source, and what passes them."""
