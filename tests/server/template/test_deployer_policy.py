"""The policy of the deployer: every action that CloudFormation needs for the template's resources, and no more."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.aws.template.deployer_policy import (
    POLICY_FILES,
    POLICY_MAX_CHARACTERS,
    UNUSED,
    handler_permissions,
    is_unused,
    policy_texts,
    set_properties,
)
from tests.support.documentation.pages import text_of
from tests.support.engines.installers.python_environments import environment
from tests.support.engines.missing import Absent, answer

GENERAL_WORDS: Final = {"Bucket", "Code", "Description", "Key", "Log", "Service", "Vpc"}
"""First words of properties that are also in the names of actions for other properties."""


@pytest.fixture(scope="module")
def permissions() -> Mapping[str, list[str]]:
    """Permissions that CloudFormation needs, by resource type."""
    try:
        return handler_permissions()
    except Absent as absent:
        answer(absent)


def statements() -> list[dict[str, Any]]:
    return [each for file in POLICY_FILES for each in json.loads(file.read_text(encoding="utf-8"))["Statement"]]


def allowed() -> list[str]:
    return [action for statement in statements() for action in statement["Action"]]


def test_the_policy_files_are_as_the_template_makes_them(permissions: Mapping[str, list[str]]) -> None:
    assert permissions
    for file, text in policy_texts().items():
        assert file.read_text(encoding="utf-8") == text, f"{file.name}: run `make reference` and commit the file."


def test_each_resource_type_is_created_read_updated_and_deleted(permissions: Mapping[str, list[str]]) -> None:
    actions = set(allowed())
    for resource_type, needed in permissions.items():
        # The schemas state no permissions for these; the types beside them have theirs.
        assert needed or resource_type == "AWS::IAM::ServiceLinkedRole", resource_type
        assert {action for action in needed if not is_unused(action)} <= actions, resource_type
        assert not all(map(is_unused, needed)), resource_type


def test_each_exception_excludes_an_action_of_a_handler(permissions: Mapping[str, list[str]]) -> None:
    requested = {action for needed in permissions.values() for action in needed}
    for pattern, reason in UNUSED.items():
        assert any(re.match(pattern, action) for action in requested), pattern
        assert reason.endswith(".")


def test_no_exception_excludes_an_action_of_a_property_that_the_template_sets(
    permissions: Mapping[str, list[str]],
) -> None:
    for resource_type, name in set_properties():
        [word, *_] = re.findall(r"[A-Z][a-z]+", name)
        if word in GENERAL_WORDS:
            continue
        excluded = [action for action in permissions[resource_type] if is_unused(action)]
        assert [action for action in excluded if word.lower()[:6] in action.lower()] == [], (resource_type, name)


def test_no_action_has_a_wildcard_and_none_is_allowed_twice() -> None:
    assert [action for action in allowed() if "*" in action] == []
    assert len(allowed()) == len(set(allowed()))


def test_roles_and_buckets_of_other_applications_are_out_of_reach() -> None:
    for statement in statements():
        if statement["Resource"] == ["*"]:
            assert not [each for each in statement["Action"] if each.startswith(("iam:", "s3:", "lambda:Invoke"))]


@pytest.mark.parametrize("file", POLICY_FILES, ids=lambda file: file.stem)
def test_each_file_fits_into_a_managed_policy(file: Path) -> None:
    assert len(re.sub(r"\s", "", file.read_text(encoding="utf-8"))) <= POLICY_MAX_CHARACTERS


def test_the_page_names_the_regions_in_which_the_collection_is_missing(permissions: Mapping[str, list[str]]) -> None:
    assert permissions
    [schemas] = environment("sam").parent.glob("lib/python*/site-packages/cfnlint/data/schemas/providers")
    regions = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in schemas.glob("*-*-*.json")}
    missing = {name for name, types in regions.items() if "AWS::OpenSearchServerless::CollectionGroup" not in types}
    [line] = [part for part in text_of("deploy").split("\n* ") if part.startswith("**Region.**")]
    assert set(re.findall(r"[a-z]{2}-[a-z]+-\d", line)) == {
        *(name for name in missing if not name.startswith(("cn-", "ap-southeast-"))),
        *("ap-southeast-3", "ap-southeast-7"),
    }
    assert {name for name in missing if name.startswith("ap-southeast-")} == {f"ap-southeast-{n}" for n in range(3, 8)}
    assert {name for name in regions if name.startswith("cn-")} <= missing


def test_the_page_of_the_first_deployment_is_short() -> None:
    assert len(text_of("deploy").splitlines()) <= 80
