"""Access control: policies, principals, tags, scopes, toolsets."""
