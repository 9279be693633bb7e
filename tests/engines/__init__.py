"""Real engines for the tests, started without Docker: each once per test process, stopped with it."""
