"""Passages: chunks, sentence windows, headlines, summaries, keywords."""
