"""Roles as CloudFormation would have made them, where the emulator makes something else of what the template says.

The emulator refuses a function what its role does not allow, so the grants of the template are tried by every test
here. Two kinds of resource it names otherwise than AWS, and both would refuse what AWS allows:

* `!GetAtt LogGroup.Arn` ends in `:*`, which in AWS matches the group's streams; it asks for the group without it.
* `!Ref Secret` is the secret's ARN; it is its name here.

It knows no leading keys of requests: a condition on all of them holds, and one that there are some refuses all.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from tests.support.engines.ministack import Account

_HAS_LEADING_KEYS: Final = {"dynamodb:LeadingKeys": "false"}


def put_right(account: Account, resources: Mapping[str, str]) -> None:
    """Replaces those two names in the policies of the stack's roles, takes that condition away, and nothing else.

    Args:
        account: where the stack is.
        resources: physical ids by logical ones.
    """
    listed = account.secrets.list_secrets()["SecretList"]
    secrets = {one.get("Name", ""): one.get("ARN", "") for one in listed}
    made = set(resources.values())
    for role in account.iam.list_roles()["Roles"]:
        if role["RoleName"] in made:
            for policy in account.iam.list_role_policies(RoleName=role["RoleName"])["PolicyNames"]:
                _put_right(account, role["RoleName"], policy, secrets)


def _put_right(account: Account, role: str, policy: str, secrets: Mapping[str, str]) -> None:
    document: dict[str, Any] = account.iam.get_role_policy(RoleName=role, PolicyName=policy)["PolicyDocument"]
    for statement in document["Statement"]:
        named = statement["Resource"]
        statement["Resource"] = [
            name for one in (named if isinstance(named, list) else [named]) for name in _names(one, secrets)
        ]
        if statement.get("Condition", {}).get("Null") == _HAS_LEADING_KEYS:
            del statement["Condition"]["Null"]
    account.iam.put_role_policy(RoleName=role, PolicyName=policy, PolicyDocument=json.dumps(document))


def _names(resource: str, secrets: Mapping[str, str]) -> list[str]:
    if ":log-group:" in resource:
        return [resource, resource.removesuffix(":*")]
    return [secrets.get(resource, resource)]
