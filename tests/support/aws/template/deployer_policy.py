"""Least IAM policy of the deployer, from the template's resource types and what CloudFormation calls for each."""

import json
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

from groundwire.entry.gateway import cloudformation
from tests.support.documentation.pages import ROOT
from tests.support.engines.installers.python_environments import environment

_DATA: Final = ("aoss", "dynamodb", "ec2", "ecr", "logs", "route53resolver", "s3", "secretsmanager", "sns", "sqs")
"""Services whose actions are in the second file: one managed policy has no room for all."""
POLICY_FILES: Final[Mapping[Path, bool]] = {
    ROOT / "docs" / "deployer-policy.json": False,
    ROOT / "docs" / "deployer-policy-data.json": True,
}
"""Files of the policy; True for that of the services that hold data, and of networks."""
POLICY_MAX_CHARACTERS: Final = 6_144
"""Limit of a managed policy, without white space (IAM and STS quotas, "IAM and STS character limits")."""

_PROGRAM: Final = ROOT / "tests" / "server" / "template" / "handler_permissions.py"
_TRANSFORMED: Final[Mapping[str, tuple[str, ...]]] = {
    "AWS::Serverless::Function": ("AWS::Lambda::Function", "AWS::Lambda::Version", "AWS::Lambda::Alias"),
    "AWS::Serverless::LayerVersion": ("AWS::Lambda::LayerVersion",),
}
"""Resources that SAM makes of its own types."""
_OWN_RESOURCES: Final = ("AWS::ECR::Repository",)
"""`resolve_image_repos` of samconfig.toml creates a stack with a repository."""

UNUSED: Final[Mapping[str, str]] = {
    r"s3tables:|s3:\w*Metadata\w*Table|"
    r"s3:(Put|Delete)\w*(Inventory|Analytics|Metrics|IntelligentTiering|Replication)": (
        "The bucket has no tables, inventories, analytics, metrics and replication."
    ),
    r"s3:(Put|Delete)\w*(Website|Accelerate|Logging|ObjectLock|Abac|Acl)": "The bucket has none of these.",
    r"s3:REST|s3:getObject|s3:GetObjectMetadata": "IAM has no action of this name.",
    r"s3:DeleteObject$": "The bucket outlives the stack.",
    r"kinesis:|dynamodb:\w*(Replica|Import|Item|Query|Scan)|dynamodb:(Put|Delete|Enable|Disable|Update)\w*"
    r"(Kinesis\w*|ResourcePolicy|ContributorInsights)": (
        "The tables have no stream, replica, import and policy. CloudFormation reads no row."
    ),
    r"firehose:|logs:(Put|Delete|Associate|Disassociate)\w*(BearerToken|DataProtection|IndexPolic|KmsKey)|logs:.*Stream|"
    r"logs:PutLogEvents": "The log groups have no key, index and data protection.",
    r"elasticfilesystem:|s3files:|lambda:(Put|Delete|Pass|Associate)\w*"
    r"(CodeSigning|CapacityProvider|RuntimeAlias|Scaling)": (
        "The functions have no file system, signature and capacity provider."
    ),
    r"codedeploy:|lambda:(Put|Delete)ProvisionedConcurrency": "The alias moves at once and keeps nothing warm.",
    r"kms:": "Keys belong to AWS, and AWS grants their use.",
    r"vpc-lattice:|ec2:\w*(Ipam|NetworkAcl)": "The endpoint is a gateway of S3, and the VPC has a range of its own.",
    r"sns:PutDataProtection": "The topic has no data protection.",
    r"secretsmanager:\w*Replica": "The secret is not replicated.",
    r"iam:\w*(PermissionsBoundary|AttachRolePolicy|DetachRolePolicy)$": "Roles have inline policies only.",
    r"ecr:(Put|Delete|Create|Update)\w*(Replication|Scanning|Lifecycle|Mutability|Configuration)": (
        "The repository has none of these."
    ),
}
"""Actions of handlers for properties that the template does not set, each with the reason."""

COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "cloudformation": (
        *("CreateChangeSet", "DeleteChangeSet", "DescribeChangeSet", "DescribeStackEvents", "DescribeStackResource"),
        *("DescribeStackResources", "DescribeStacks", "DescribeType", "ExecuteChangeSet", "DeleteStack", "GetTemplate"),
        *("GetTemplateSummary", "ListStackResources"),
    ),
    "ec2": ("DescribeManagedPrefixLists", "DescribeVpcs"),
    "ecr": (
        *("BatchCheckLayerAvailability", "BatchGetImage", "CompleteLayerUpload", "DescribeImages"),
        *("GetAuthorizationToken", "GetDownloadUrlForLayer", "InitiateLayerUpload", "ListImages", "PutImage"),
        "UploadLayerPart",
    ),
    "iam": ("GetRole", "SimulatePrincipalPolicy"),
    "lambda": ("GetAccountSettings", "InvokeFunction", "ListLayers"),
    # The stage writes access logs. The schema of its type names none of these rights.
    # Source: API Gateway's guide, "Configure logging for HTTP APIs", permissions of the user.
    "logs": (
        *("CreateLogDelivery", "CreateLogGroup", "DeleteLogDelivery", "DescribeLogGroups", "DescribeLogStreams"),
        *("DescribeResourcePolicies", "FilterLogEvents", "GetLogDelivery", "GetLogEvents", "ListLogDeliveries"),
        *("PutResourcePolicy", "UpdateLogDelivery"),
    ),
    "s3": ("GetBucketLocation", "GetObject", "PutObject"),
    "servicequotas": ("GetServiceQuota",),
    "sts": ("GetCallerIdentity",),
}
"""Actions of `sam deploy`, `sam delete`, `docker push`, `doctor --before` and the page, beside CloudFormation's own."""

_BUCKETS: Final = ("arn:aws:s3:::groundwire-*", "arn:aws:s3:::aws-sam-cli-*")
_RESOURCES: Final[Mapping[str, list[str]]] = {
    "iam": ["arn:aws:iam::*:role/groundwire-*", "arn:aws:iam::*:role/aws-service-role/*"],
    "iam:GetRole": ["arn:aws:iam::*:role/*"],
    "iam:SimulatePrincipalPolicy": ["arn:aws:iam::*:role/*", "arn:aws:iam::*:user/*"],
    "lambda:InvokeFunction": ["arn:aws:lambda:*:*:function:groundwire-*"],
    "s3": [resource for bucket in _BUCKETS for resource in (bucket, f"{bucket}/*")],
}
"""Resources of a service's actions, or of one action; any for others, as their names do not begin with the stack's."""


def resource_types() -> list[str]:
    """Return the types of all resources that a deployment creates, after SAM's transformation."""
    named = {resource["Type"] for resource in _resources()}
    return sorted({*_OWN_RESOURCES, *(each for name in named for each in _TRANSFORMED.get(name, (name,)))})


def set_properties() -> set[tuple[str, str]]:
    """Return each resource type after SAM's transformation with each property that the template sets for it."""
    return {
        (each, name)
        for resource in _resources()
        for each in _TRANSFORMED.get(resource["Type"], (resource["Type"],))
        for name in resource.get("Properties", {})
    }


def _resources() -> list[dict[str, Any]]:
    template = cast("dict[str, Any]", cloudformation.load_template(ROOT / "template.yaml"))
    return list(template["Resources"].values())


def handler_permissions() -> Mapping[str, list[str]]:
    """Return the actions that CloudFormation calls, by resource type.

    Raises:
        Absent: the environment of SAM cannot be made here.
    """
    done = subprocess.run(
        [environment("sam") / "python", _PROGRAM],
        input=json.dumps(resource_types()),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def is_unused(action: str) -> bool:
    """Return True if an action is only for properties that the template does not set."""
    return any(re.match(pattern, action) for pattern in UNUSED)


def needed_actions(permissions: Mapping[str, Iterable[str]]) -> set[str]:
    """Return the actions of the handlers that the template needs, and those of the commands."""
    of_handlers = {action for actions in permissions.values() for action in actions if not is_unused(action)}
    return of_handlers | {f"{service}:{name}" for service, names in COMMANDS.items() for name in names}


def policy_texts() -> dict[Path, str]:
    """Return the text of each policy file; Absent where the environment of SAM cannot be made."""
    actions = needed_actions(handler_permissions())
    return {file: _policy(each for each in actions if _holds_data(each) == data) for file, data in POLICY_FILES.items()}


def _holds_data(action: str) -> bool:
    return action.partition(":")[0] in _DATA


def _policy(actions: Iterable[str]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(_statements(actions))}, indent=1) + "\n"


def _statements(actions: Iterable[str]) -> Iterator[dict[str, object]]:
    grouped: dict[tuple[str, ...], list[str]] = {}
    for action in sorted(actions):
        resources = _RESOURCES.get(action) or _RESOURCES.get(action.partition(":")[0]) or ["*"]
        grouped.setdefault(tuple(resources), []).append(action)
    for resources, named in grouped.items():
        yield {"Effect": "Allow", "Action": named, "Resource": list(resources)}
