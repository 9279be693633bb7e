"""`groundwire doctor`: checks of this installation, of a stack, and of an account before its first stack."""
