"""The AWS side of a deployment: in this process, from the template, and as a deployed stack."""
