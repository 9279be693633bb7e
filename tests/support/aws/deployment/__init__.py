"""The template deployed to an emulated AWS account, with the built functions."""
