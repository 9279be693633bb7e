"""Commands for the home folder on disk: compaction, backup, restoration."""
