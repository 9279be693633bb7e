"""Text: normalisation, markup, sentences, words."""
