"""The form of an audit line, wherever it is written."""
