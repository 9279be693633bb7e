"""Reader of presentations: their text, their charts, and what of it a person does not see."""
