"""Visibility of the text of a Word part: hidden text, and the backgrounds that decide it."""
