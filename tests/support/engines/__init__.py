"""Real engines for the tests, started without Docker and stopped with the tests."""
