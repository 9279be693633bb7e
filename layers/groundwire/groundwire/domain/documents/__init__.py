"""Documents: records, states, metadata, segments, links."""
