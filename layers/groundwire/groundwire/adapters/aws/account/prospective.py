"""Account and Region before a deployment, as their services report quotas, types, names and permissions."""

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

from groundwire.adapters.aws.account.clients import AccountClients
from groundwire.domain.errors import DomainError, NotFound
from groundwire.ports.account import QuotaUse, RequiredRight

_VPCS: Final = ("vpc", "L-F678F1CE")
"""Code of the quota "VPCs per Region" (Service Quotas)."""
_DEFAULT_VPCS: Final = 5
_APIS: Final = 600
"""Regional APIs of an account in a Region (API Gateway developer guide, "Quotas"); no call returns it."""
_SIMULATED_AT_ONCE: Final = 100


class ProspectiveRegion:
    """Implements `ports.account.ProspectiveAccount`."""

    def __init__(self, clients: AccountClients) -> None:
        self._clients = clients

    def identity(self) -> str:
        """Return the caller's ARN."""
        with self._clients.asking("sts") as sts:
            return str(sts.get_caller_identity()["Arn"])

    def clock_skew_s(self) -> float:
        """Return the seconds by which this machine's clock is ahead of AWS's."""
        return self._clients.clock_skew_s()

    def concurrency(self) -> QuotaUse:
        """Return Lambda's account settings."""
        with self._clients.asking("lambda") as functions:
            limits = functions.get_account_settings()["AccountLimit"]
        quota = int(limits["ConcurrentExecutions"])
        # What is not unreserved belongs to single functions.
        return QuotaUse(quota - int(limits["UnreservedConcurrentExecutions"]), quota)

    def vpcs(self) -> QuotaUse:
        """Return the number of VPCs; whoever may not ask Service Quotas is assumed to have the default."""
        with self._clients.asking("ec2") as ec2:
            used = len(ec2.describe_vpcs()["Vpcs"])
        return QuotaUse(used, self._vpc_quota())

    def s3_prefix_list(self) -> str | None:
        """Return the id of the list that AWS manages for S3's gateway endpoints."""
        with self._clients.asking("ec2") as ec2:
            name = f"com.amazonaws.{ec2.meta.region_name}.s3"
            found = ec2.describe_managed_prefix_lists(Filters=[{"Name": "prefix-list-name", "Values": [name]}])
        return next((str(each["PrefixListId"]) for each in found["PrefixLists"]), None)

    def apis(self) -> QuotaUse:
        """Return the number of HTTP and WebSocket APIs."""
        with self._clients.asking("apigatewayv2") as gateway:
            pages = gateway.get_paginator("get_apis").paginate()
            return QuotaUse(sum(len(page["Items"]) for page in pages), _APIS)

    def has_runtime(self, runtime: str, architecture: str) -> bool:
        """List layers for the runtime, which Lambda refuses for a runtime that it does not know."""
        with self._clients.asking("lambda") as functions:
            try:
                functions.list_layers(CompatibleRuntime=runtime, CompatibleArchitecture=architecture, MaxItems=1)
            except functions.exceptions.InvalidParameterValueException:
                return False
        return True

    def lacks_type(self, resource_type: str) -> bool:
        """Ask CloudFormation's registry of public types for the type."""
        return self._schema(resource_type) is None

    def has_tenant_isolation(self) -> bool | None:
        """Look for `TenancyConfig` in the Region's schema of a function; Lambda answers only who creates one."""
        schema = self._schema("AWS::Lambda::Function")
        return None if not schema else "TenancyConfig" in schema

    def stack_status(self, name: str) -> str | None:
        """Return the status of the stack of this name, deleted stacks aside."""
        try:
            with self._clients.asking("cloudformation") as cloudformation:
                (stack,) = cloudformation.describe_stacks(StackName=name)["Stacks"]
        except NotFound:
            return None
        return str(stack["StackStatus"])

    def has_log_group(self, name: str) -> bool:
        """Return whether there is a log group of exactly this name."""
        with self._clients.asking("logs") as logs:
            # The names are sorted, so the exact one is on the first page.
            found = logs.describe_log_groups(logGroupNamePrefix=name)["logGroups"]
        return any(group["logGroupName"] == name for group in found)

    def denied_actions(self, right: RequiredRight) -> Sequence[str]:
        """Simulate the caller's policies; those of the organisation count as far as IAM knows them."""
        caller = self._caller
        if caller.endswith(":root"):
            # IAM simulates no policies of the root user, who may do everything.
            return []
        context = [
            {"ContextKeyName": key, "ContextKeyValues": [value], "ContextKeyType": "string"}
            for key, value in sorted(right.context.items())
        ]
        denied: set[str] = set()
        with self._clients.asking("iam") as iam:
            for start in range(0, len(right.actions), _SIMULATED_AT_ONCE):
                pages = iam.get_paginator("simulate_principal_policy").paginate(
                    PolicySourceArn=caller,
                    ActionNames=list(right.actions[start : start + _SIMULATED_AT_ONCE]),
                    ResourceArns=list(right.resources),
                    ContextEntries=context,
                )
                results = [result for page in pages for result in page["EvaluationResults"]]
                denied |= {each["EvalActionName"] for each in results if each["EvalDecision"] != "allowed"}
        return sorted(denied)

    @cached_property
    def _caller(self) -> str:
        """Return the ARN whose policies IAM simulates: of a session, the role with its path, which a session lacks."""
        caller = self.identity()
        _, _, rest = caller.partition(":assumed-role/")
        if not rest:
            return caller
        with self._clients.asking("iam") as iam:
            return str(iam.get_role(RoleName=rest.partition("/")[0])["Role"]["Arn"])

    def _vpc_quota(self) -> int:
        service, code = _VPCS
        try:
            with self._clients.asking("service-quotas") as quotas:
                found: Any = quotas.get_service_quota(ServiceCode=service, QuotaCode=code)
        except DomainError:
            # A caller without the right to read the quota assumes the default.
            return _DEFAULT_VPCS
        return int(found["Quota"]["Value"])

    def _schema(self, resource_type: str) -> str | None:
        """Return the type's schema as JSON text; None where the Region has no such type."""
        try:
            with self._clients.asking("cloudformation") as cloudformation:
                found = cloudformation.describe_type(Type="RESOURCE", TypeName=resource_type)
        except NotFound:
            return None
        return str(found.get("Schema") or json.dumps({}))
