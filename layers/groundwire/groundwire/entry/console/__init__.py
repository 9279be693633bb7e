"""Web page for people: a search as two people, and the work of an administrator, over `/v1` alone."""
