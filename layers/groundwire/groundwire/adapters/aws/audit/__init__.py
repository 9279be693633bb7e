"""Audit log of a deployment: `log` writes its lines to a CloudWatch log group, `trail` finds them by Logs Insights."""

from groundwire.adapters.aws.audit.log import LogGroupAudit

__all__ = ["LogGroupAudit"]
