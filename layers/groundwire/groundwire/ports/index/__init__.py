"""The index of one tenant: its rows, its searches, its catalogue queries, and the two halves of its port."""
