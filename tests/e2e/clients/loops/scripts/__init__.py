"""Scripts for the environments of the libraries: each is an agent, run once for each case."""
