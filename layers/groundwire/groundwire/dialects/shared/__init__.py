"""Tools and parts of answers that several dialects share: quotations, notices, errors of tools, and what has room."""
