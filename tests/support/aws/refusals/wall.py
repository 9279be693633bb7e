"""The wall itself: what goes to an emulator passes the rules first, or the test ends with the finding."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.aws.refusals.calls import INVOCATION_RULES, Invocation
from tests.support.aws.refusals.rule import require_accepted
from tests.support.aws.refusals.rules import CHANGE_RULES, TEMPLATE_RULES
from tests.support.aws.refusals.rules.tenancy import is_isolated
from tests.support.aws.refusals.template import Change, Template, read_template

if TYPE_CHECKING:
    from tests.support.aws.deployment.artifacts import Artifact


def require_stack(path: Path, parameters: Mapping[str, str], artifacts: Iterable["Artifact"]) -> Template:
    """Return the template with these parameters and artifacts, which a new account accepts.

    Raises:
        RefusedByAwsError: AWS refuses the stack, or may.
    """
    unpacked = {artifact.logical_id: _size(artifact.folder) for artifact in artifacts}
    template = replace(read_template(path, parameters), unpacked=unpacked)
    require_accepted(TEMPLATE_RULES, template)
    return template


def require_update(before: Template, after: Template) -> None:
    """Stop an update that AWS refuses, or may.

    Raises:
        RefusedByAwsError: with every finding.
    """
    require_accepted(CHANGE_RULES, Change(before, after))


def require_invocation(template: Template, call: Invocation) -> None:
    """Stop a call of a function of this template, named by its logical id, that Lambda refuses.

    Raises:
        RefusedByAwsError: with every finding.
    """
    isolated = is_isolated(template.functions.get(call.function, {}))
    require_accepted(INVOCATION_RULES, replace(call, isolated=isolated))


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
