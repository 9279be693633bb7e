"""An AWS account as an operator sees it with credentials of their own: a deployed stack, and an account before one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from groundwire.domain.errors import Unavailable

PARSER_FUNCTION: Final = "ParserFunction"
"""Logical id of the function that parses documents, in the template."""


class FunctionNotReady(Unavailable):
    """Error when Lambda does not run a function yet: it slept for weeks, or is being updated."""


@dataclass(frozen=True, slots=True)
class DeployedFunction:
    """A function of a stack, as Lambda has it.

    Attributes:
        logical_id: its name in the template.
        role: name of the role that it has; `declared_role`: name of the one that the template gives it.
        layers: ARNs of its layer versions.
        isolates_tenants: Lambda gives each tenant execution environments of its own.
        is_in_network: the template gives it a VPC.
    """

    logical_id: str
    role: str
    declared_role: str
    layers: tuple[str, ...]
    isolates_tenants: bool
    is_in_network: bool


@dataclass(frozen=True, slots=True)
class DeployedRole:
    """A role of a stack: what decides about it in IAM, beside what the stack's template declares.

    Rights are sentences in one form, each with effect, action, resource, principal and condition. Trust, attached
    policies and the boundary are such sentences, too.

    Attributes:
        granted: rights that the role has.
        declared: rights that the template gives it, with the parameters of the stack.
        unknown: declared rights with a value that cannot be known; their text names it.
    """

    logical_id: str
    granted: frozenset[str]
    declared: frozenset[str]
    unknown: frozenset[str]


@dataclass(frozen=True, slots=True)
class DeployedAlarm:
    """An alarm of a stack, with the ARNs that it calls when it rings."""

    logical_id: str
    actions: tuple[str, ...]
    is_ringing: bool


class DeployedStack(Protocol):
    """One stack in an account; every method raises Forbidden for a missing permission, NotFound for a missing stack."""

    def require_exists(self) -> None:
        """Require that the account has this stack.

        Raises:
            InvalidInput: there is no Region.
            NotFound: there is no such stack.
            Unavailable: AWS does not answer.
        """
        ...

    def clock_skew_s(self) -> float:
        """Return the seconds by which this machine's clock is ahead of AWS's, to about one second."""
        ...

    def functions(self) -> Sequence[DeployedFunction]:
        """Return the functions, ordered by logical id."""
        ...

    def roles(self) -> Sequence[DeployedRole]:
        """Return the roles, ordered by logical id."""
        ...

    # Lambda does not run a function with tenant isolation unless the call names a tenant.
    def invoke(self, logical_id: str, payload: Mapping[str, object], tenant: str | None) -> Mapping[str, object] | None:
        """Return what a function answers; None where the stack has no such function.

        `tenant` names the tenant in whose execution environment it runs; None for a function that knows no tenants.

        Raises:
            FunctionNotReady: the function runs in some minutes.
            Unavailable: the function failed.
        """
        ...

    def throttles(self, seconds: int) -> Mapping[str, int]:
        """Return the number of throttled invocations in the last seconds, by the function's logical id."""
        ...

    def queue_depths(self) -> Mapping[str, int]:
        """Return the number of waiting messages by the queue's logical id."""
        ...

    def alarms(self) -> Sequence[DeployedAlarm]:
        """Return the alarms, ordered by logical id."""
        ...

    def confirmed_receivers(self, topic: str) -> int:
        """Return the number of a topic's subscriptions whose receiver has confirmed."""
        ...

    def protected_tables(self) -> Mapping[str, bool]:
        """Return whether deletion protection is on, by the table's logical id."""
        ...


@dataclass(frozen=True, slots=True)
class QuotaUse:
    """A quota of an account in a Region, and how much of it is in use."""

    used: int
    quota: int


@dataclass(frozen=True, slots=True)
class RequiredRight:
    """Actions that a deployment needs on resources, as a statement of a policy has them.

    Attributes:
        resources: ARNs or patterns; `*` for any resource.
        context: values of the condition keys that the statement compares, by key.
    """

    actions: tuple[str, ...]
    resources: tuple[str, ...]
    context: Mapping[str, str]


class ProspectiveAccount(Protocol):
    """An account and Region before a deployment; every method raises Forbidden for a missing permission."""

    def identity(self) -> str:
        """Return the ARN of the caller whose credentials these are.

        Raises:
            InvalidInput: there are no credentials, or no Region.
        """
        ...

    def clock_skew_s(self) -> float:
        """Return the seconds by which this machine's clock is ahead of AWS's, to about one second."""
        ...

    def concurrency(self) -> QuotaUse:
        """Return Lambda's quota of simultaneous executions, and how many of them functions have reserved."""
        ...

    def vpcs(self) -> QuotaUse:
        """Return the quota of VPCs, and how many there are."""
        ...

    def s3_prefix_list(self) -> str | None:
        """Return the id of the list of S3's addresses in this Region; None if it is missing."""
        ...

    def apis(self) -> QuotaUse:
        """Return the quota of HTTP APIs, and how many there are."""
        ...

    def has_runtime(self, runtime: str, architecture: str) -> bool:
        """Return whether Lambda in this Region knows the runtime for functions of the architecture."""
        ...

    def lacks_type(self, resource_type: str) -> bool:
        """Return whether CloudFormation in this Region does not know the resource type."""
        ...

    # Lambda has no call that tells; the schema of functions in CloudFormation may.
    def has_tenant_isolation(self) -> bool | None:
        """Return whether Lambda in this Region isolates tenants of a function; None where that is unknown."""
        ...

    def stack_status(self, name: str) -> str | None:
        """Return the status of the stack of this name; None if it is missing."""
        ...

    def has_log_group(self, name: str) -> bool:
        """Return whether there is a log group of exactly this name."""
        ...

    def denied_actions(self, right: RequiredRight) -> Sequence[str]:
        """Return the actions of the right that IAM's simulation does not allow the caller, sorted."""
        ...
