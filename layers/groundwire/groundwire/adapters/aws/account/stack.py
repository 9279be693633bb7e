"""Deployed stack, as CloudFormation, Lambda and IAM report it."""

import json
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final, cast

from groundwire.adapters.aws.account.clients import AccountClients
from groundwire.adapters.aws.account.watch import StackWatch
from groundwire.domain.errors import Unavailable
from groundwire.domain.text.json_values import list_or_empty, load_mapping, mapping_or_empty
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

    def outputs(self) -> Mapping[str, str]:
        """Return the outputs by name."""
        with self._clients.asking("cloudformation") as cloudformation:
            (stack,) = cloudformation.describe_stacks(StackName=self._name)["Stacks"]
        return {each["OutputKey"]: each["OutputValue"] for each in stack.get("Outputs", [])}

    def clock_skew_s(self) -> float:
        """Return the seconds by which this machine's clock is ahead of AWS's."""
        return self._clients.clock_skew_s()

    def functions(self) -> Sequence[DeployedFunction]:
        """Return the functions; each is one request."""
        roles = self._physical_ids(_ROLE)
        return [self._function(each, name, roles) for each, name in sorted(self._physical_ids(_FUNCTION).items())]

    def roles(self) -> Sequence[DeployedRole]:
        """Return the roles; each is one request for each of its policies, and two more."""
        return [self._role(each, name) for each, name in sorted(self._physical_ids(_ROLE).items())]

    def invoke(self, logical_id: str, payload: Mapping[str, object], tenant: str | None) -> Mapping[str, object] | None:
        """Return what a function answers."""
        name = self._physical_ids(_FUNCTION).get(logical_id)
        if name is None:
            return None
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
        declared = mapping_or_empty(self._template_resource(logical_id).get("Role")).get("Fn::GetAtt")
        declared_id = str(list_or_empty(declared)[0]) if list_or_empty(declared) else str(declared).partition(".")[0]
        isolation = mapping_or_empty(found.get("TenancyConfig")).get("TenantIsolationMode")
        return DeployedFunction(
            logical_id,
            role=str(found["Role"]).rpartition("/")[2],
            declared_role=roles.get(declared_id, declared_id),
            layers=tuple(layer["Arn"] for layer in found.get("Layers", [])),
            isolates_tenants=isolation == "PER_TENANT",
        )

    def _role(self, logical_id: str, name: str) -> DeployedRole:
        granted: set[str] = set()
        with self._clients.asking("iam") as iam:
            for policy in iam.list_role_policies(RoleName=name)["PolicyNames"]:
                granted |= _actions(iam.get_role_policy(RoleName=name, PolicyName=policy)["PolicyDocument"])
            attached = iam.list_attached_role_policies(RoleName=name)["AttachedPolicies"]
        return DeployedRole(
            logical_id,
            frozenset(granted),
            frozenset(_actions(self._template_resource(logical_id).get("Policies"))),
            tuple(policy["PolicyArn"] for policy in attached),
        )

    def _physical_ids(self, resource_type: str) -> Mapping[str, str]:
        return {each: name for each, (kind, name) in self._resources.items() if kind == resource_type}

    def _template_resource(self, logical_id: str) -> Mapping[str, object]:
        resource = mapping_or_empty(self._template_resources.get(logical_id))
        return mapping_or_empty(resource.get("Properties"))

    @cached_property
    def _resources(self) -> Mapping[str, tuple[str, str]]:
        with self._clients.asking("cloudformation") as cloudformation:
            pages = cloudformation.get_paginator("list_stack_resources").paginate(StackName=self._name)
            rows = [row for page in pages for row in page["StackResourceSummaries"]]
        return {row["LogicalResourceId"]: (row["ResourceType"], row.get("PhysicalResourceId", "")) for row in rows}

    @cached_property
    def _template_resources(self) -> Mapping[str, object]:
        with self._clients.asking("cloudformation") as cloudformation:
            body = cloudformation.get_template(StackName=self._name, TemplateStage="Processed")["TemplateBody"]
        # botocore parses a body that is JSON, which a processed template is.
        template = load_mapping(body.encode()) if isinstance(body, str) else cast("Mapping[str, object]", body)
        return mapping_or_empty(mapping_or_empty(template).get("Resources"))


def _actions(policy: object) -> set[str]:
    """Return all actions in a policy document, or in the policies of a template with its conditional statements.

    A denied action, and one on all resources, is named as such: it is another right than the action alone.
    """
    if isinstance(policy, list):
        return {action for each in cast("list[object]", policy) for action in _actions(each)}
    if not isinstance(policy, Mapping):
        return set()
    members = cast("Mapping[str, Any]", policy)
    named = members.get("Action", [])
    actions = {named} if isinstance(named, str) else {each for each in named if isinstance(each, str)}
    effect = "denied " if members.get("Effect") == "Deny" else ""
    resource = " on *" if members.get("Resource") in ("*", ["*"]) else ""
    own = {f"{effect}{each}{resource}" for each in actions}
    return own.union(*(_actions(value) for name, value in members.items() if name != "Action"))
