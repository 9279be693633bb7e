"""Number formats of workbooks and charts (ISO/IEC 29500-1, 18.8.30 and 18.8.31): the text that a number shows."""
