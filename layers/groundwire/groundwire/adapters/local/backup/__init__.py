"""Backup of a whole home folder: the copy, its retention, and its restoration."""
