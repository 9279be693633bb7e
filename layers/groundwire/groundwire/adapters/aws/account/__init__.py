"""An AWS account, with the credentials of the person who runs the command line."""
