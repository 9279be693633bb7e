"""Rules of code: a tree of this project is run against what AWS refuses."""
