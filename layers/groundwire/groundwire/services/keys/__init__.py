"""Use cases on API keys: authorization of calls, administration."""
