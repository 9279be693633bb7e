"""Requests and answers of a service, checked and rewritten by kind."""
