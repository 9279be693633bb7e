"""What runs inside the environments of the libraries: each script is an agent, run once for each case."""
