"""Rules of Lambda functions: sizes, memory, concurrency, environment and what a VPC needs."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source, above
from tests.support.aws.refusals.template import Change, Template

_QUOTAS: Final = Source("Lambda developer guide: Lambda quotas", LOOKED_UP)
_NEW_ACCOUNT: Final = Source("Lambda developer guide: Lambda quotas; Service Quotas reports of new accounts", LOOKED_UP)
_RESERVED_NAMES: Final = frozenset(
    {
        *("_HANDLER", "_X_AMZN_TRACE_ID", "AWS_DEFAULT_REGION", "AWS_REGION", "AWS_EXECUTION_ENV"),
        *("AWS_LAMBDA_FUNCTION_NAME", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "AWS_LAMBDA_FUNCTION_VERSION"),
        *("AWS_LAMBDA_INITIALIZATION_TYPE", "AWS_LAMBDA_LOG_GROUP_NAME", "AWS_LAMBDA_LOG_STREAM_NAME"),
        *("AWS_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"),
        *("AWS_LAMBDA_RUNTIME_API", "LAMBDA_TASK_ROOT", "LAMBDA_RUNTIME_DIR"),
    }
)
_NAME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9_]+")
_NETWORK: Final = frozenset(
    {"ec2:CreateNetworkInterface", "ec2:DescribeNetworkInterfaces", "ec2:DeleteNetworkInterface"}
)
_NETWORK_POLICIES: Final = ("AWSLambdaVPCAccessExecutionRole", "AWSLambdaENIManagementAccess")
_LONGEST_S: Final = 900
_LEAST_MB, _MOST_MB = 128, 10_240
_ENVIRONMENT: Final = 4 * 1_024
_MOST_LAYERS: Final = 5
_UNPACKED: Final = 262_144_000
_DESCRIPTION: Final = 256
_UNRESERVED: Final = 100


def _timeouts(template: Template) -> Iterator[str]:
    return above(_LONGEST_S, ((name, int(one.get("Timeout", 3))) for name, one in template.functions.items()), "s")


def _memory(template: Template) -> Iterator[str]:
    for name, function in template.functions.items():
        if not _LEAST_MB <= int(function.get("MemorySize", _LEAST_MB)) <= _MOST_MB:
            yield f"{name}: {function['MemorySize']} MB"


def _memory_of_account(template: Template) -> Iterator[str]:
    sizes = ((name, int(one.get("MemorySize", _LEAST_MB))) for name, one in template.functions.items())
    return above(template.account.function_memory_mb, sizes, "MB")


def _reserved(template: Template) -> Iterator[str]:
    requested = {
        name: int(one["ReservedConcurrentExecutions"])
        for name, one in template.functions.items()
        if "ReservedConcurrentExecutions" in one
    }
    left = template.account.concurrency - sum(requested.values())
    if requested and left < _UNRESERVED:
        names, total = ", ".join(requested), sum(requested.values())
        yield f"{names}: {total} of {template.account.concurrency} leave {max(left, 0)}"


def _environments(template: Template) -> Iterator[str]:
    return above(_ENVIRONMENT, ((name, _size(template, one)) for name, one in template.functions.items()), "bytes")


def _size(template: Template, function: Mapping[str, Any]) -> int:
    variables = function.get("Environment", {}).get("Variables", {})
    return sum(len(f"{name}{template.text(value)}".encode()) for name, value in variables.items())


def _variable_names(template: Template) -> Iterator[str]:
    for function, properties in template.functions.items():
        for name in properties.get("Environment", {}).get("Variables", {}):
            if name in _RESERVED_NAMES or not _NAME.fullmatch(name):
                yield f"{function}: {name}"


def _layers(template: Template) -> Iterator[str]:
    return above(
        _MOST_LAYERS, ((name, len(one.get("Layers", []))) for name, one in template.functions.items()), "layers"
    )


def _unpacked(template: Template) -> Iterator[str]:
    def parts(name: str, function: Mapping[str, Any]) -> Iterable[str]:
        return (name, *(layer["Ref"] for layer in function.get("Layers", []) if isinstance(layer, dict)))

    sizes = (
        (name, sum(template.unpacked.get(part, 0) for part in parts(name, function)))
        for name, function in template.functions.items()
    )
    return above(_UNPACKED, sizes, "bytes")


def _descriptions(template: Template) -> Iterator[str]:
    texts = ((name, len(template.text(one.get("Description", "")))) for name, one in template.functions.items())
    return above(_DESCRIPTION, texts, "characters")


def _network_rights(template: Template) -> Iterator[str]:
    roles = template.of_type("AWS::IAM::Role")
    for name, function in template.functions.items():
        if "VpcConfig" in function and not _may_join_networks(roles, function.get("Role")):
            yield f"{name}: its role does not allow {', '.join(sorted(_NETWORK))}"


def _may_join_networks(roles: Mapping[str, Mapping[str, Any]], named: Any) -> bool:
    role = roles.get(named["Fn::GetAtt"][0], {}) if isinstance(named, dict) and "Fn::GetAtt" in named else {}
    if any(policy in str(role.get("ManagedPolicyArns")) for policy in _NETWORK_POLICIES):
        return True
    statements = [line for policy in role.get("Policies", []) for line in policy["PolicyDocument"]["Statement"]]
    allowed = {
        action
        for line in statements
        if line["Effect"] == "Allow"
        for action in ([line["Action"]] if isinstance(line["Action"], str) else line["Action"])
    }
    return allowed >= _NETWORK


def _left_interfaces(change: Change) -> Iterator[str]:
    roles = change.after.of_type("AWS::IAM::Role")
    for name, before in change.before.functions.items():
        after = change.after.functions.get(name, {})
        if (
            "VpcConfig" in before
            and after
            and "VpcConfig" not in after
            and not _may_join_networks(roles, after["Role"])
        ):
            yield f"{name}: keep the rights to network interfaces"


TEMPLATE_RULES: Final = (
    Rule("function-timeout", "A function may run longer than Lambda allows.", "900 seconds", _QUOTAS, _timeouts),
    Rule(
        "function-memory", "A function has more or less memory than Lambda has.", "128 to 10,240 MB", _QUOTAS, _memory
    ),
    Rule(
        "new-account-memory",
        "A function has more memory than a new account may give it.",
        "3,008 MB until AWS raises the quota",
        _NEW_ACCOUNT,
        _memory_of_account,
    ),
    Rule(
        "reserved-concurrency",
        "Functions reserve so much of the account's concurrency that too little is left for the others.",
        '"the unreserved account concurrency can\'t go below 100"; a new account has 10 in all',
        Source("Lambda developer guide: Configuring reserved concurrency", LOOKED_UP),
        _reserved,
    ),
    Rule(
        "environment-size",
        "The environment variables of a function are too large.",
        "4 KB for all environment variables of a function",
        _QUOTAS,
        _environments,
    ),
    Rule(
        "environment-names",
        "An environment variable has a name that Lambda reserves or refuses.",
        "reserved: AWS_REGION, AWS_ACCESS_KEY_ID …; a name has at least two letters, digits or underscores",
        Source("Lambda developer guide: Working with environment variables", LOOKED_UP),
        _variable_names,
    ),
    Rule("layers-per-function", "A function has too many layers.", "five layers", _QUOTAS, _layers),
    Rule(
        "unpacked-size",
        "A function and its layers are too large when they are unpacked.",
        "250 MB (262,144,000 bytes), layers included",
        _QUOTAS,
        _unpacked,
    ),
    Rule(
        "function-description",
        "The description of a function is too long.",
        "256 characters",
        Source("botocore service model lambda, CreateFunction", LOOKED_UP),
        _descriptions,
    ),
    Rule(
        "vpc-function-role",
        "A function joins a VPC with a role that may not manage network interfaces.",
        '"The provided execution role does not have permissions to call CreateNetworkInterface on EC2"',
        Source("Lambda developer guide: Giving Lambda functions access to resources in an Amazon VPC", LOOKED_UP),
        _network_rights,
    ),
)
CHANGE_RULES: Final = (
    Rule(
        "vpc-function-leaves",
        "A function leaves its VPC, and its role has no right to delete the interfaces there.",
        "Lambda uses your function's permissions to create and manage network interfaces",
        Source("Lambda developer guide: Giving Lambda functions access to resources; aws-cdk#34400", LOOKED_UP),
        _left_interfaces,
        doubt="Lambda may delete an interface that no function uses with rights of its own.",
    ),
)
