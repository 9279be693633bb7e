"""Reader of articles in JATS, the XML of scientific journals."""
