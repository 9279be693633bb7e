"""One module per system whose clients work here unchanged: thin translations of the same services."""
