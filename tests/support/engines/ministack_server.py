"""Starts MiniStack on 127.0.0.1 and a port that is free, prints it, and ends when standard input does.

Arguments: an interpreter with the packages of the tests, and in one argument the rules that do not count.

A program of its own, run by the interpreter of MiniStack's environment: its own command takes a port that it is told,
which another may have taken meanwhile, and outlives whoever started it.
"""

import asyncio
import os
import socket
import sys
from functools import cached_property
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from threading import Lock
from types import SimpleNamespace
from typing import Any, ClassVar, Final
from uuid import uuid4
from zipfile import ZipFile

_ROOT: Final = Path(__file__).parents[3]
_RECORD: Final = "_cw_metric_alarm_record"
"""Name of the emulator's function that reads an alarm's properties and refuses expressions."""
_CONDITIONS: Final = "_conditions_met"
"""Name of the emulator's function that decides about the conditions of a statement."""
_HAS_LEADING_KEYS: Final = ("Null", {"dynamodb:LeadingKeys": "false"})
_HANDLERS: Final = "_RESOURCE_HANDLERS"
"""Name of the emulator's table of resource types."""
_NAME_FIREWALL: Final = ("FirewallDomainList", "FirewallRuleGroup", "FirewallRuleGroupAssociation")
"""Resource types that the emulator lacks. It has no resolver either, so nothing could ask for a name."""


async def _serve(config: Any) -> None:
    # What AWS refuses does not reach the emulator.
    door = import_module("tests.support.aws.refusals.door.door").Door
    account, region = os.environ["MINISTACK_ACCOUNT_ID"], os.environ["MINISTACK_REGION"]
    app = door(import_module("ministack.app").app, _refused, account, region)
    ends = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

    async def end() -> None:
        await ends

    await import_module("hypercorn.asyncio").serve(app, config, shutdown_trigger=end)


async def _refused(form: bytes) -> str:
    """Return what AWS refuses of the stack that the form asks for; the judge needs the packages of the tests."""
    python, excused = sys.argv[1:]
    url = f"http://127.0.0.1:{os.environ['GATEWAY_PORT']}"
    judge = await asyncio.create_subprocess_exec(
        *(python, "-m", "tests.support.aws.deployment.judge", url, excused),
        cwd=_ROOT,
        env={name: os.environ[name] for name in ("PATH", "TMPDIR")},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    found, _ = await judge.communicate(form)
    # A judge that fails has judged nothing.
    return found.decode() if judge.returncode == 0 else "The judge of stacks fails: see the log of the emulator."


def _keep_tenancy() -> None:
    """Have functions of stacks say that they have tenant isolation, as those that are made one by one."""
    provisioners: Any = import_module("ministack.services.cloudformation.provisioners")
    functions: Any = import_module("ministack.services.lambda_svc")
    create = provisioners._lambda_create

    def creating(logical_id: str, properties: dict[str, Any], stack: str) -> Any:
        name, attributes = create(logical_id, properties, stack)
        if "TenancyConfig" in properties:
            functions._functions[name]["config"]["TenancyConfig"] = properties["TenancyConfig"]
        return name, attributes

    provisioners._lambda_create = creating
    provisioners._RESOURCE_HANDLERS["AWS::Lambda::Function"]["create"] = creating


def _accept_metric_math() -> None:
    """Create an alarm over several metrics as one over the first of them: nothing is measured here, so none rings."""
    provisioners = import_module("ministack.services.cloudformation.provisioners")
    record: Any = getattr(provisioners, _RECORD)

    def accepting(name: str, properties: dict[str, Any]) -> Any:
        stats = [each["MetricStat"] for each in properties.get("Metrics", []) if "MetricStat" in each]
        if not stats:
            return record(name, properties)
        metric = stats[0]["Metric"]
        own = {key: value for key, value in properties.items() if key != "Metrics"}
        return record(name, own | metric | {"Statistic": stats[0]["Stat"], "Period": stats[0]["Period"]})

    setattr(provisioners, _RECORD, accepting)


def _name_secrets_by_their_arn() -> None:
    """Make the ARN of a secret its physical id, which `!Ref` returns; the emulator takes the name for it."""
    handlers: Any = vars(import_module("ministack.services.cloudformation.provisioners"))["_RESOURCE_HANDLERS"]
    secret: dict[str, Any] = handlers["AWS::SecretsManager::Secret"]
    create, update, delete = secret["create"], secret["update"], secret["delete"]
    names: dict[str, str] = {}

    def by_arn(made: tuple[str, dict[str, str]]) -> tuple[str, dict[str, str]]:
        name, attributes = made
        names[attributes["Arn"]] = name
        return attributes["Arn"], attributes

    def created(*properties: Any) -> tuple[str, dict[str, str]]:
        return by_arn(create(*properties))

    def updated(arn: str, *properties: Any, **named: Any) -> tuple[str, dict[str, str]]:
        return by_arn(update(names[arn], *properties, **named))

    def deleted(arn: str, properties: Any) -> None:
        delete(names[arn], properties)

    secret |= {"create": created, "update": updated, "delete": deleted}


def _ask_for_the_streams_of_a_log_group() -> None:
    """Ask the roles for a log group with `:*`, as AWS does; the emulator asks for the group without it."""
    actions = import_module("ministack.core.iam_actions")
    extract: Any = actions.extract_resource_arn

    def extracting(service: str, *request: Any) -> str:
        found: str = extract(service, *request)
        return f"{found}:*" if service == "logs" and ":log-group:" in found and not found.endswith(":*") else found

    vars(actions)["extract_resource_arn"] = extracting


def _permit_batches_of_messages() -> None:
    """Check a batch by the action of one message, as AWS does: its policies have no action of a batch.

    The documentation of `AddPermission` of SQS states it.
    """
    actions = import_module("ministack.core.iam_actions")
    extract: Any = actions.extract_iam_action

    def extracting(service: str, *request: Any) -> str | None:
        action: str | None = extract(service, *request)
        return action.removesuffix("Batch") if service == "sqs" and action else action

    vars(actions)["extract_iam_action"] = extracting


def _suppose_leading_keys() -> None:
    """Let the condition hold that a request has leading keys, of which the emulator knows none."""
    evaluator = import_module("ministack.core.iam_evaluator")
    conditions_met: Any = vars(evaluator)[_CONDITIONS]

    def supposing(conditions: dict[str, Any], context: Any) -> bool:
        kept = {name: keys for name, keys in (conditions or {}).items() if (name, keys) != _HAS_LEADING_KEYS}
        return bool(conditions_met(kept, context))

    vars(evaluator)[_CONDITIONS] = supposing


def _accept_name_firewalls() -> None:
    """Create the parts of a firewall for names as ids alone."""
    handlers: Any = getattr(import_module("ministack.services.cloudformation.provisioners"), _HANDLERS)

    def created(*_: object) -> tuple[str, dict[str, str]]:
        made = f"rslvr-{uuid4().hex}"
        return made, {"Id": made}

    def deleted(*_: object) -> None:
        """Nothing was made."""

    handlers |= {f"AWS::Route53Resolver::{kind}": {"create": created, "delete": deleted} for kind in _NAME_FIREWALL}


class _LayerZip(ZipFile):
    """An archive that is unpacked once, however many functions it is unpacked for.

    In Lambda, too, environments only read what is in /opt. The emulator unpacks more than 100 MB for each.
    """

    _places: ClassVar[dict[object, Path]] = {}
    _one_at_a_time: ClassVar[Lock] = Lock()

    def namelist(self) -> list[str]:
        """Return the names for the emulator to check; none of an archive that it has checked."""
        return [] if self._content in self._places else super().namelist()

    def extractall(self, path: Any = None, members: Any = None, pwd: Any = None) -> None:
        """Put a link to what is unpacked in place of the empty folder."""
        with self._one_at_a_time:
            if self._content not in self._places:
                place = Path(mkdtemp(prefix="unpacked-"))
                super().extractall(place, members, pwd)
                self._places[self._content] = place
        Path(path).rmdir()
        Path(path).symlink_to(self._places[self._content])

    @cached_property
    def _content(self) -> object:
        return tuple((each.filename, each.CRC, each.file_size) for each in self.infolist())


def _unpack_layers_once() -> None:
    zips: Any = SimpleNamespace(**vars(import_module("zipfile")))
    zips.ZipFile = _LayerZip
    vars(import_module("ministack.core.lambda_runtime"))["zipfile"] = zips


def _main() -> None:
    _accept_metric_math()
    _unpack_layers_once()
    _keep_tenancy()
    _name_secrets_by_their_arn()
    _ask_for_the_streams_of_a_log_group()
    _permit_batches_of_messages()
    _suppose_leading_keys()
    _accept_name_firewalls()
    # Of the checkout, this program needs the rules of calls alone, which import the standard library alone.
    sys.path.append(str(_ROOT))
    listening = socket.create_server(("127.0.0.1", 0), backlog=128)
    port = str(listening.getsockname()[1])
    # Functions are told this address of every service.
    os.environ["GATEWAY_PORT"] = port
    config = import_module("hypercorn.config").Config()
    config.bind = [f"fd://{listening.fileno()}"]
    config.loglevel = "WARNING"
    sys.stdout.write(f"port {port}\n")
    sys.stdout.flush()
    asyncio.run(_serve(config))


if __name__ == "__main__":
    _main()
