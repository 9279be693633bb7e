"""The wall itself: what goes to an emulator passes the rules first, or the test ends with the finding."""

from collections.abc import Collection
from dataclasses import replace

from tests.support.aws.refusals.calls.invocations import INVOCATION_RULES, Invocation
from tests.support.aws.refusals.rule import Finding, Reading, findings, require_accepted
from tests.support.aws.refusals.rules import CHANGE_RULES, TEMPLATE_RULES
from tests.support.aws.refusals.rules.tenancy import is_isolated
from tests.support.aws.refusals.template import Change, Template


def refused_stack(before: Template | None, after: Template, excused: Collection[str]) -> list[Finding]:
    """Return what AWS refuses, or may, of a stack that is made, or changed from an earlier template.

    Args:
        before: template of the stack that is there; None where there is none.
        excused: rules that do not count.
    """
    found = [*findings(TEMPLATE_RULES, after, Reading.REFUSED)]
    if before is not None:
        found += findings(CHANGE_RULES, Change(before, after), Reading.REFUSED)
    return [each for each in found if each.rule not in excused]


def require_invocation(template: Template, call: Invocation) -> None:
    """Stop a call of a function of this template, named by its logical id, that Lambda refuses.

    Raises:
        RefusedByAwsError: with every finding.
    """
    isolated = is_isolated(template.functions.get(call.function, {}))
    require_accepted(INVOCATION_RULES, replace(call, isolated=isolated))
