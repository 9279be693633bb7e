"""State that administrators and the operator read: checks, evaluations, the report of a deployment."""
