"""HTTP of the deployed functions: events, authorizer context, errors."""
