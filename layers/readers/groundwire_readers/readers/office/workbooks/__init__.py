"""Reader of workbooks: what of their sheets a person does not see."""
