"""Runs over the files of folders: which files, what a run would do, and what an interrupted one leaves."""
