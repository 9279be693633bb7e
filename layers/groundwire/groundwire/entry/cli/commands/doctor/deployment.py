"""Checks of a deployed stack that need AWS credentials only: its functions, roles, queues and alarms."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from groundwire import __version__
from groundwire.domain.text.json_values import list_or_empty, mapping_or_empty
from groundwire.entry.cli.commands.doctor.findings import Caution, DefectFound, Report
from groundwire.entry.cli.commands.doctor.run_budget import RunBudget
from groundwire.entry.cli.target.action_client import ActionClient
from groundwire.ports.account import PARSER_FUNCTION, DeployedFunction, DeployedRole, DeployedStack, FunctionNotReady

_MAX_CLOCK_SKEW_S: Final = 120.0
"""Signed requests fail at 300 s (AWS General Reference, "Signature Version 4"), upload forms begin to at less."""
_THROTTLE_WINDOW_S: Final = 86_400
_FAILED_QUEUES: Final = "DeadLetter"
"""Part of the logical id of a queue of what failed."""


def check_deployment(stack: DeployedStack, operator: ActionClient, budget: RunBudget, report: Report) -> None:
    """Report each check as it ends; a check that fails stops no other."""
    parser = _ProbedParser(stack)
    checks = (
        ("clock", "This machine's clock agrees with AWS's.", lambda: describe_clock(stack.clock_skew_s())),
        ("versions", "Command line, functions and layers are of one version.", lambda: _versions(stack, operator)),
        (
            "roles",
            "Each function may do what the template allows, and no more.",
            lambda: _roles(stack),
        ),
        ("confined", "A file is parsed where it can reach nothing.", lambda: _confinement(parser)),
        ("names", "The parser looks up no name but the bucket's.", lambda: _names(parser)),
        ("throttles", "No call of the last day was refused for lack of concurrency.", lambda: _throttles(stack)),
        ("queues", "No message has failed for good.", lambda: _queues(stack)),
        ("alarms", "Somebody receives each alarm.", lambda: _alarms(stack)),
        ("tables", "The tables cannot be deleted by mistake.", lambda: _tables(stack)),
    )
    for name, promise, check in checks:
        report(budget.run(name, check, promise))


def describe_clock(skew_s: float) -> str:
    """Return how far this machine's clock is from AWS's, in seconds; positive where it is ahead.

    Raises:
        DefectFound: signatures may be refused.
    """
    if abs(skew_s) > _MAX_CLOCK_SKEW_S:
        direction = "ahead" if skew_s > 0 else "behind"
        raise DefectFound(f"The clock is {abs(skew_s):.0f} s {direction}: set it, such as by NTP.")
    return f"They differ by {abs(skew_s):.0f} s."


def _versions(stack: DeployedStack, operator: ActionClient) -> str | Caution:
    functions = stack.functions()
    versions_of_layer: dict[str, set[str]] = {}
    for function in functions:
        for arn in function.layers:
            layer, _, version = arn.rpartition(":")
            versions_of_layer.setdefault(layer, set()).add(version)
    mixed = sorted(layer for layer, versions in versions_of_layer.items() if len(versions) > 1)
    if mixed:
        raise DefectFound(f"Functions use different versions of {', '.join(mixed)}: run `sam deploy` again.")
    deployed = str(operator.execute("stack.report")["version"])
    if deployed != __version__:
        return Caution(
            f"The stack is {deployed}, the command line {__version__}: install the version of the stack, "
            "or deploy the one of the command line."
        )
    return f"{deployed}, {len(functions)} functions."


def _roles(stack: DeployedStack) -> str | Caution:
    for function in stack.functions():
        if function.role != function.declared_role:
            raise DefectFound(
                f"{function.logical_id} has the role {function.role}, not {function.declared_role}: "
                "give it back its role, or run `sam deploy`."
            )
    roles = stack.roles()
    differences = [text for role in roles if (text := _role_difference(role))]
    if differences:
        raise DefectFound(f"{' '.join(differences)} Somebody changed that outside of CloudFormation: undo it.")
    unknown = [text for role in roles if (text := _unknown_rights(role))]
    if unknown:
        return Caution(f"{' '.join(unknown)} Compare these yourself with the template; all else is equal.")
    return f"{len(roles)} roles: statements, trust, attached policies and boundary are those of the template."


def _role_difference(role: DeployedRole) -> str:
    """Return a sentence about what was certainly changed; a right beside an unknown one may be that one."""
    extra, missing = role.granted - role.declared, role.declared - role.granted
    changes = [
        f"{word} {'; '.join(sorted(rights))}"
        for word, rights in (("also has:", extra if not role.unknown else ()), ("lacks:", missing))
        if rights
    ]
    return f"{role.logical_id} {', and '.join(changes)}." if changes else ""


def _unknown_rights(role: DeployedRole) -> str:
    if not role.unknown:
        return ""
    has = "; ".join(sorted(role.granted - role.declared)) or "nothing"
    return f"{role.logical_id} should have: {'; '.join(sorted(role.unknown))}. Beside the known rights it has: {has}."


def _confinement(parser: "_ProbedParser") -> str | Caution:
    report = parser.report
    if isinstance(report, Caution):
        return report
    restrictions = [mapping_or_empty(each) for each in list_or_empty(report.get("confinement"))]
    if not restrictions:
        raise DefectFound("The parser function does not report its restrictions: deploy the stack again.")
    refused = _refused(restrictions)
    if not parser.isolates_tenants:
        return Caution(
            "Lambda may parse files of two tenants in one environment, one after the other, "
            f"because of ParserIsolation=environment; the process ends after each file. {refused}"
        )
    return f"Each tenant has execution environments of its own. {refused}"


def _names(parser: "_ProbedParser") -> str | Caution:
    report = parser.report
    if isinstance(report, Caution):
        return report
    if not parser.is_in_network:
        return Caution("It looks up every name, and connects to the internet, because of ParserNetwork=open.")
    lookup = mapping_or_empty(report.get("lookup"))
    name, detail = lookup.get("name"), lookup.get("detail")
    match lookup.get("outcome"):
        case "blocked":
            return f"Its resolver has no address of {name}, which the internet has."
        case "answered":
            raise DefectFound(
                f"It looked up {name}, so names can carry text to anybody. The DNS firewall ParserNameFirewall does "
                "not block: let CloudFormation detect the stack's drift, and undo it."
            )
        case "unknown":
            return Caution(
                f"Not known: the lookup of {name} ended otherwise than by the DNS firewall ({detail}). "
                "Look yourself at ParserNameFirewall and at the VPC that it is associated with."
            )
        case _:
            return Caution("Not known: the parser function tries no lookup. Deploy this release.")


class _ProbedParser:
    """Parser function of a stack, and its report, which one invocation fetches."""

    def __init__(self, stack: DeployedStack) -> None:
        self._stack = stack

    @property
    def isolates_tenants(self) -> bool:
        """Isolation of tenants: Lambda gives each execution environments of its own."""
        return any(each.isolates_tenants for each in self._functions)

    @property
    def is_in_network(self) -> bool:
        """Network of its own: the template gives it a VPC."""
        return any(each.is_in_network for each in self._functions)

    @cached_property
    def report(self) -> Mapping[str, object] | Caution:
        """Report of the function about its worker and network, or the reason why it is missing."""
        # Where Lambda isolates tenants, it refuses an invocation that names none.
        tenant = "doctor" if self.isolates_tenants else None
        try:
            answer = self._stack.invoke(PARSER_FUNCTION, {"probe": "confinement"}, tenant)
        except FunctionNotReady as error:
            return Caution(f"{error} A function in a network sleeps after weeks without a document.")
        if answer is None:
            return Caution(
                "This stack has no parser function: it parses in its ingestion function. Deploy this release."
            )
        return answer

    @property
    def _functions(self) -> Sequence[DeployedFunction]:
        return [each for each in self._stack.functions() if each.logical_id == PARSER_FUNCTION]


def _refused(restrictions: Sequence[Mapping[str, object]]) -> str:
    enforced = [str(each.get("restriction")) for each in restrictions if each.get("enforced") is True]
    others = [f"{each.get('restriction')} ({each.get('detail')})" for each in restrictions if not each.get("enforced")]
    text = f"Enforced inside: {'; '.join(enforced) or 'nothing'}."
    return f"{text} Lambda's kernel refuses: {'; '.join(others)}." if others else text


def _throttles(stack: DeployedStack) -> str | Caution:
    throttled = {name: count for name, count in stack.throttles(_THROTTLE_WINDOW_S).items() if count}
    if not throttled:
        return "There were none."
    counts = ", ".join(f"{name} {count}" for name, count in throttled.items())
    return Caution(f"{counts}. Ask Service Quotas for more concurrent executions, or lower IngestionConcurrency.")


def _queues(stack: DeployedStack) -> str:
    depths = stack.queue_depths()
    failed = {name: depth for name, depth in depths.items() if _FAILED_QUEUES in name and depth}
    if failed:
        counts = ", ".join(f"{name} {depth}" for name, depth in failed.items())
        raise DefectFound(f"{counts}. docs/operations.md shows how to read and return them.")
    return f"Waiting: {', '.join(f'{name} {depth}' for name, depth in depths.items())}."


def _alarms(stack: DeployedStack) -> str | Caution:
    alarms = stack.alarms()
    ringing = [alarm.logical_id for alarm in alarms if alarm.is_ringing]
    if ringing:
        raise DefectFound(f"Ringing now: {', '.join(ringing)}. docs/operations.md has a section for each alarm.")
    silent = [alarm.logical_id for alarm in alarms if not alarm.actions]
    if silent:
        return Caution(f"{len(silent)} of {len(alarms)} alarms call nobody: deploy with AlarmTopicArn or BudgetEmail.")
    topics = {action for alarm in alarms for action in alarm.actions if ":sns:" in action}
    # SNS delivers nothing to a subscription that nobody confirmed.
    deaf = sorted(topic for topic in topics if not stack.confirmed_receivers(topic))
    if deaf:
        return Caution(f"Nobody has confirmed a subscription of {', '.join(deaf)}: confirm it in the mail from AWS.")
    return f"{len(alarms)} alarms."


def _tables(stack: DeployedStack) -> str | Caution:
    unprotected = [name for name, is_protected in stack.protected_tables().items() if not is_protected]
    if unprotected:
        return Caution(f"{', '.join(unprotected)} can be: deploy with DeletionProtection=true after the first answer.")
    return "Deletion protection is on."
