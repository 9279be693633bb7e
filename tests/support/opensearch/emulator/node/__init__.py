"""The OpenSearch node behind the emulator, and what it keeps for each emulator."""
