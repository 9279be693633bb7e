"""Deployed stack, as CloudFormation, Lambda and IAM report it."""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, cast

from groundwire.adapters.aws.account.clients import AccountClients
from groundwire.adapters.aws.account.policy_statements import rights_of
from groundwire.adapters.aws.account.stack_template import UNKNOWN, StackTemplate
from groundwire.adapters.aws.account.watch import StackWatch
from groundwire.domain.errors import Unavailable
from groundwire.domain.text.json_values import is_mapping, list_or_empty, load_mapping, mapping_or_empty
from groundwire.ports import Clock
from groundwire.ports.account import DeployedAlarm, DeployedFunction, DeployedRole

_FUNCTION: Final = "AWS::Lambda::Function"
_ROLE: Final = "AWS::IAM::Role"
_TABLE: Final = "AWS::DynamoDB::Table"


class CloudFormationStack:
    """Implements `ports.account.DeployedStack`; what a run asks twice, such as the list of resources, is read once."""

    def __init__(self, name: str, clients: AccountClients, clock: Clock = time.time) -> None:
        self._name = name
        self._clients = clients
        self._watch = StackWatch(clients, self._physical_ids, clock)

    def require_exists(self) -> None:
        """Describe the stack."""
        _ = self._stack

    def clock_skew_s(self) -> float:
        """Return the seconds by which this machine's clock is ahead of AWS's."""
        return self._clients.clock_skew_s()

    def functions(self) -> Sequence[DeployedFunction]:
        """Return the functions; each is one request, made once."""
        return self._functions

    def roles(self) -> Sequence[DeployedRole]:
        """Return the roles; each is one request for each of its policies, and three more."""
        return [self._role(each, name) for each, name in sorted(self._physical_ids(_ROLE).items())]

    def invoke(self, logical_id: str, payload: Mapping[str, object], tenant: str | None) -> Mapping[str, object] | None:
        """Return what a function answers."""
        name = self._physical_ids(_FUNCTION).get(logical_id)
        if name is None:
            return None
        # Lambda refuses a tenant for a function that does not isolate tenants.
        isolation = {} if tenant is None else {"TenantId": tenant}
        with self._clients.asking("lambda") as functions:
            answer = functions.invoke(FunctionName=name, Payload=json.dumps(payload).encode(), **isolation)
            content = answer["Payload"].read()
        if "FunctionError" in answer:
            raise Unavailable(f"{logical_id} failed. Its log group has the error.")
        return load_mapping(content) or {}

    def throttles(self, seconds: int) -> Mapping[str, int]:
        """Return the sums of CloudWatch's metric `Throttles`."""
        return self._watch.throttles(seconds)

    def queue_depths(self) -> Mapping[str, int]:
        """Return SQS's approximate numbers."""
        return self._watch.queue_depths()

    def alarms(self) -> Sequence[DeployedAlarm]:
        """Return the alarms."""
        return self._watch.alarms()

    def confirmed_receivers(self, topic: str) -> int:
        """Return the number of confirmed subscriptions."""
        return self._watch.confirmed_receivers(topic)

    def protected_tables(self) -> Mapping[str, bool]:
        """Return whether deletion protection is on, by the table's logical id."""
        protected: dict[str, bool] = {}
        for logical_id, name in sorted(self._physical_ids(_TABLE).items()):
            with self._clients.asking("dynamodb") as dynamodb:
                table = dynamodb.describe_table(TableName=name)["Table"]
            protected[logical_id] = bool(table.get("DeletionProtectionEnabled"))
        return protected

    def _function(self, logical_id: str, name: str, roles: Mapping[str, str]) -> DeployedFunction:
        with self._clients.asking("lambda") as functions:
            found = functions.get_function_configuration(FunctionName=name)
        declared = mapping_or_empty(self._template.declared(logical_id).get("Role")).get("Fn::GetAtt")
        # The argument of `Fn::GetAtt` is a list, or one text with a dot.
        declared_id = str(list_or_empty(declared)[0]) if list_or_empty(declared) else str(declared).partition(".")[0]
        isolation = mapping_or_empty(found.get("TenancyConfig")).get("TenantIsolationMode")
        return DeployedFunction(
            logical_id,
            # The ARN has the path of the role before its name.
            role=str(found["Role"]).rpartition("/")[2],
            declared_role=roles.get(declared_id, declared_id),
            layers=tuple(layer["Arn"] for layer in found.get("Layers", [])),
            isolates_tenants=isolation == "PER_TENANT",
            is_in_network="VpcConfig" in self._template.properties(logical_id),
        )

    def _role(self, logical_id: str, name: str) -> DeployedRole:
        with self._clients.asking("iam") as iam:
            role = iam.get_role(RoleName=name)["Role"]
            inline = [
                iam.get_role_policy(RoleName=name, PolicyName=policy)["PolicyDocument"]
                for policy in iam.list_role_policies(RoleName=name)["PolicyNames"]
            ]
            attached = iam.list_attached_role_policies(RoleName=name)["AttachedPolicies"]
        boundary = role.get("PermissionsBoundary", {}).get("PermissionsBoundaryArn")
        managed = [policy["PolicyArn"] for policy in attached]
        declared = self._declared_rights(logical_id)
        return DeployedRole(
            logical_id,
            granted=_rights_of_role(role["AssumeRolePolicyDocument"], inline, managed, boundary),
            declared=frozenset(each for each in declared if UNKNOWN not in each),
            unknown=frozenset(each for each in declared if UNKNOWN in each),
        )

    def _declared_rights(self, logical_id: str) -> frozenset[str]:
        properties = self._template.properties(logical_id)
        policies = list_or_empty(properties.get("Policies"))
        return _rights_of_role(
            properties.get("AssumeRolePolicyDocument"),
            [mapping_or_empty(each).get("PolicyDocument") if is_mapping(each) else each for each in policies],
            list_or_empty(properties.get("ManagedPolicyArns")),
            properties.get("PermissionsBoundary"),
        )

    def _physical_ids(self, resource_type: str) -> Mapping[str, str]:
        return {each: name for each, (kind, name) in self._resources.items() if kind == resource_type}

    @cached_property
    def _functions(self) -> Sequence[DeployedFunction]:
        roles = self._physical_ids(_ROLE)
        return [self._function(each, name, roles) for each, name in sorted(self._physical_ids(_FUNCTION).items())]

    @cached_property
    def _resources(self) -> Mapping[str, tuple[str, str]]:
        with self._clients.asking("cloudformation") as cloudformation:
            pages = cloudformation.get_paginator("list_stack_resources").paginate(StackName=self._name)
            rows = [row for page in pages for row in page["StackResourceSummaries"]]
        return {row["LogicalResourceId"]: (row["ResourceType"], row.get("PhysicalResourceId", "")) for row in rows}

    @cached_property
    def _stack(self) -> Mapping[str, Any]:
        with self._clients.asking("cloudformation") as cloudformation:
            (stack,) = cloudformation.describe_stacks(StackName=self._name)["Stacks"]
        return cast("Mapping[str, Any]", stack)

    @cached_property
    def _template(self) -> StackTemplate:
        with self._clients.asking("cloudformation") as cloudformation:
            body = cloudformation.get_template(StackName=self._name, TemplateStage="Processed")["TemplateBody"]
        # botocore parses a body that is JSON, which a processed template is.
        template = load_mapping(body.encode()) if isinstance(body, str) else cast("Mapping[str, object]", body)
        # CloudFormation resolves a parameter whose value is the name of a parameter in the Systems Manager.
        parameters = {
            each["ParameterKey"]: each.get("ResolvedValue", each.get("ParameterValue", ""))
            for each in self._stack.get("Parameters", [])
        }
        return StackTemplate(template or {}, parameters, self._stack["StackId"], self._resources)


def _rights_of_role(
    trust: object, inline: Iterable[object], managed: Iterable[object], boundary: object
) -> frozenset[str]:
    """Return all that decides what a role may do, and who may have it, as sentences in one form."""
    rights = {right for policy in inline for right in rights_of(policy)}
    attached = {f"have the policy {each}" for each in managed}
    limits = {f"have the boundary {boundary}"} if boundary else set[str]()
    trusted = {f"be assumed: {right}" for right in rights_of(trust)}
    return frozenset(rights | attached | limits | trusted)
