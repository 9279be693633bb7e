"""Source files of a bucket or of a machine: their listing, their sidecar files, their content."""
