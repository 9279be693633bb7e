"""Kernel rules for a worker: the calls that Lambda's kernel refuses, and the decisions of a system-call filter."""
