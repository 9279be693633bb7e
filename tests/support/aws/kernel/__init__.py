"""The kernel beneath a worker: what Lambda's refuses, and what a filter of system calls decides."""
