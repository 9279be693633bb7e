"""Parts of the answers of several dialects: quotations, notices, errors of tools, and what has room."""
