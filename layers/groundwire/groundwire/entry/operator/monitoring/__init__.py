"""State that administrators and the operator read: checks, evaluations, ingestions, the report of a deployment."""
