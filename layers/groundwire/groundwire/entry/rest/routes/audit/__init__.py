"""Lines of the audit log for administrators of a tenant, and their export."""
