"""The wall before the emulators stops stacks, updates and invocations that AWS refuses."""

from pathlib import Path
from typing import Final

import pytest

from tests.aws.refusals.examples.building import function, routes, template
from tests.support.aws.deployment.artifacts import Artifact
from tests.support.aws.refusals.calls import Invocation
from tests.support.aws.refusals.rule import RefusedByAwsError
from tests.support.aws.refusals.wall import require_invocation, require_stack, require_update

LIMIT: Final = 262_144_000
ONE_LAYER: Final = """\
Resources:
  Layer: {Type: AWS::Serverless::LayerVersion, Properties: {ContentUri: layer}}
  One: {Type: AWS::Serverless::Function, Properties: {Layers: [!Ref Layer]}}
"""
ISOLATED: Final = template({"One": function(TenancyConfig={"TenantIsolationMode": "PER_TENANT"}), "Other": function()})


def layer(folder: Path, size: int) -> Artifact:
    """Return a layer of so many bytes, which take no room on the disk."""
    folder.mkdir(exist_ok=True)
    with (folder / "library").open("wb") as file:
        file.truncate(size)
    return Artifact("Layer", "layer", folder, (), "")


def test_a_stack_is_stopped_by_the_size_of_what_was_built(tmp_path: Path) -> None:
    path = tmp_path / "template.yaml"
    path.write_text(ONE_LAYER, encoding="utf-8")
    accepted = require_stack(path, {}, [layer(tmp_path / "layer", LIMIT)])
    assert accepted.unpacked == {"Layer": LIMIT}
    with pytest.raises(RefusedByAwsError, match="unpacked-size: One"):
        require_stack(path, {}, [layer(tmp_path / "layer", LIMIT + 1)])


def test_an_update_is_stopped_that_changes_too_many_routes_at_once() -> None:
    six = template(routes(*(f"GET /{number}" for number in range(6))))
    with pytest.raises(RefusedByAwsError, match="routes-changed-at-once"):
        require_update(template({}), six)
    require_update(six, six)


def test_an_invocation_names_a_tenant_exactly_where_the_function_separates_tenants() -> None:
    require_invocation(ISOLATED, Invocation("One", b"{}", tenant="t_acme"))
    require_invocation(ISOLATED, Invocation("Other", b"{}"))
    with pytest.raises(RefusedByAwsError, match="tenant-id-missing: One"):
        require_invocation(ISOLATED, Invocation("One", b"{}"))
    with pytest.raises(RefusedByAwsError, match="tenant-id-unwanted: Other"):
        require_invocation(ISOLATED, Invocation("Other", b"{}", tenant="t_acme"))
