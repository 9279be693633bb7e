"""Source files, sidecar files and the ingest lock of one machine."""
