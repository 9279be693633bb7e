"""Text of Word files that a person does not see."""
