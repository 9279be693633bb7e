"""The collection: of the generation that sleeps, reachable by signature alone, and by each role for what it does."""

import json
import re
from itertools import product
from typing import Any, Final

from tests.support.aws.template.variants import TEMPLATE, Variant, refusals, variant

STACK: Final = variant()
NAME: Final = STACK.resources["SearchCollection"]["Properties"]["Name"]
CAPACITIES: Final = ("MinSearchCapacityInOcu", "MaxCapacityInOcu")
TYPES: Final = "AWS::OpenSearchServerless::"


def policy(name: str, stack: Variant = STACK) -> Any:
    """The policy's text with the collection's name put in, read as the service reads it."""
    return json.loads(filled(stack.resources[name]["Properties"]["Policy"]))


def filled(value: Any) -> str:
    if isinstance(value, str):
        return value
    if "Fn::Select" in value:
        position, parts = value["Fn::Select"]
        separator, whole = parts["Fn::Split"]
        return filled(whole).split(separator)[position]
    text, given = value["Fn::Sub"]
    assert given["Name"] == NAME
    for name, inner in given.items():
        text = text.replace(f"${{{name}}}", "groundwire-0a1b2c3d" if name == "Name" else filled(inner))
    return text


def test_a_cluster_of_ones_own_leaves_nothing_of_a_collection() -> None:
    given = variant(OpenSearchUrl="https://search.example.com")
    assert [name for name, each in STACK.resources.items() if each["Type"].startswith(TYPES)]
    assert not [name for name, each in given.resources.items() if each["Type"].startswith(TYPES)]


def test_the_collection_is_of_the_generation_that_may_sleep_and_its_cost_has_a_bound() -> None:
    group = STACK.resources["SearchGroup"]["Properties"]
    assert group["Generation"] == "NEXTGEN"
    limits = group["CapacityLimits"]
    assert (limits["MinSearchCapacityInOcu"], limits["MinIndexingCapacityInOcu"]) == (0, 0)
    assert limits["MaxSearchCapacityInOcu"] == limits["MaxIndexingCapacityInOcu"] == 4
    awake = variant(MinSearchCapacityInOcu=1).resources["SearchGroup"]["Properties"]["CapacityLimits"]
    assert awake["MinSearchCapacityInOcu"] == 1


def test_capacities_are_those_that_the_service_lists_and_the_least_is_no_more_than_the_most() -> None:
    least, most = (TEMPLATE["Parameters"][name]["AllowedValues"] for name in CAPACITIES)
    assert least == [0, 1, 2, 4, 8, 16]
    assert all(value in (2, 4, 8) or value % 16 == 0 for value in most)
    for pair in product(least, most):
        reported = refusals(**dict(zip(CAPACITIES, pair, strict=True)))
        assert bool(reported) == (pair[0] > pair[1]), pair
        assert all(CAPACITIES[1] in line for line in reported)


def test_the_collection_is_in_the_group_of_this_template_and_waits_for_what_it_needs() -> None:
    collection = STACK.resources["SearchCollection"]
    assert collection["Properties"]["Type"] == "VECTORSEARCH"
    assert collection["Properties"]["CollectionGroupName"] == STACK.resources["SearchGroup"]["Properties"]["Name"]
    assert (
        collection["Properties"]["StandbyReplicas"] == STACK.resources["SearchGroup"]["Properties"]["StandbyReplicas"]
    )
    assert set(collection["DependsOn"]) == {"SearchEncryption", "SearchNetwork", "SearchGroup"}


def test_every_part_has_the_name_that_is_new_for_each_stack_and_short_enough() -> None:
    parts = {
        name: each["Properties"]["Name"] for name, each in STACK.resources.items() if each["Type"].startswith(TYPES)
    }
    assert parts == dict.fromkeys(parts, NAME)
    (glue, (word, unique)) = NAME["Fn::Join"]
    assert "AWS::StackId" in str(unique)
    assert len(f"{word}{glue}0a1b2c3d") <= 32


def test_it_is_encrypted_and_its_address_is_open_to_signatures_only_where_no_network_of_ours_is() -> None:
    encryption = policy("SearchEncryption")
    assert encryption["AWSOwnedKey"] is True
    (network,) = policy("SearchNetwork")
    assert network["AllowFromPublic"] is True
    collection = [{"ResourceType": "collection", "Resource": ["collection/groundwire-0a1b2c3d"]}]
    assert encryption["Rules"] == network["Rules"] == collection


def test_each_role_may_do_to_indexes_of_tenants_what_its_function_does() -> None:
    read = {"aoss:DescribeIndex", "aoss:ReadDocument"}
    write = {*read, "aoss:WriteDocument"}
    make = {*write, "aoss:CreateIndex", "aoss:UpdateIndex"}
    roles = {
        "${McpRole.Arn}": read,
        "${ApiRole.Arn}": write,
        "${IngestionRole.Arn}": make,
        "${OperatorRole.Arn}": {*make, "aoss:DeleteIndex"},
    }
    assert permissions() == roles
    # What runs on a developer's machine searches, and writes nothing.
    # The account of the ARN is another one, and no principal of it is let in.
    developer = "arn:${AWS::Partition}:iam::${AWS::AccountId}:role/developer"
    assert permissions(DeveloperPrincipalArn="arn:aws:iam::999999999999:role/developer") == {**roles, developer: read}


def permissions(**parameters: str) -> dict[str, set[str]]:
    granted: dict[str, set[str]] = {}
    for line in policy("SearchAccess", variant(**parameters)):
        (principal,), (rule,) = line["Principal"], line["Rules"]
        assert (rule["ResourceType"], rule["Resource"]) == ("index", ["index/groundwire-0a1b2c3d/gw-*"])
        granted[principal] = set(rule["Permission"])
    return granted


def test_a_developer_is_a_role_or_a_user_and_nothing_that_would_break_the_policy() -> None:
    pattern = TEMPLATE["Parameters"]["DeveloperPrincipalArn"]["AllowedPattern"]
    for arn in ("", "arn:aws:iam::123456789012:user/ci@acme", "arn:aws:iam::123456789012:role/path/developer"):
        assert re.fullmatch(pattern, arn), arn
    for arn in ("*", "role/a", "arn:aws:iam::123456789012:root", 'arn:aws:iam::123456789012:role/a"]},{"'):
        assert not re.fullmatch(pattern, arn), arn


def test_no_policy_is_longer_than_the_service_takes() -> None:
    for name, each in STACK.resources.items():
        if each["Type"].endswith("Policy") and each["Type"].startswith(TYPES):
            assert len(json.dumps(policy(name))) < 20_480


def test_the_warmer_exists_when_it_is_requested_and_calls_the_function_that_searches() -> None:
    assert "WarmerRule" not in STACK.resources
    rule = variant(WarmerSchedule="cron(0/8 7-18 ? * MON-FRI *)").resources["WarmerRule"]["Properties"]
    (target,) = rule["Targets"]
    assert target["Arn"] == {"Fn::GetAtt": ["McpFunction", "Arn"]}
    assert json.loads(target["Input"]) == {"groundwire": "warm"}
