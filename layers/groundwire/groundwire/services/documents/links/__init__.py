"""Links to documents: made for a caller, in a long and a short form, and opened by the rights of the moment."""
