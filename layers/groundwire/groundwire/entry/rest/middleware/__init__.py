"""Access, audit and errors of every REST call."""
