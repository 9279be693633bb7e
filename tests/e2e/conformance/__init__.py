"""The official conformance suite of the Model Context Protocol, run against the server over real HTTP."""
