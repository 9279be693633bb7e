"""Documents through the ingestion function: `python -m bench.object_events [--documents N] [--json]`.

The function's own handler runs in a process of its own and is given batches of ten events, as its queue gives them.
Files and queue are MiniStack's, tables those of DynamoDB Local, the index is the embedded one, the parser the real
worker. In the midst of some batches the process is killed; what it had in hand comes again, to another process, when
the leases of the first have ended. The files of those batches come to a second tenant, too, whose process nobody kills.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Timer
from time import perf_counter, time
from typing import Any, Final

import boto3

from bench.corpus import Corpus
from bench.machine import Machine, this_machine
from bench.report import Figures, Goal, Report
from groundwire.adapters.aws.dynamodb.tenants import DynamoTenants, TenantTables
from groundwire.domain.keys.tenant import Tenant
from groundwire.settings import environment as settings
from tests.support.aws.template import tables
from tests.support.engines import dynamodb, ministack

TENANT: Final = "t_000000000arrived"
TWIN: Final = "t_00000000000alive"
COLLECTION: Final = "papers"
BATCH: Final = 10
FLATTER: Final = 1.2
GROWN_MB: Final = 50
_DIMENSION: Final = 8
"""Of vectors that the corpus makes up and nobody uses."""
_FOLDERS: Final = 100
_BUCKET: Final = "arrivals"
_POLICY: Final = "public: true\n"
_LEASE_S: Final = 1_000
_TABLES: Final = {
    "KEYS": "KeysTable",
    "USERS": "UsersTable",
    "DOCUMENTS": "DocumentsTable",
    "SESSIONS": "SessionsTable",
}

NOTE: Final = (
    "Papers of about 1,100 characters, one passage each. Emulators run beside the function on the same machine; the "
    "bucket's looks through all its keys for each listing, so it slows down as files come. The time of putting the "
    "files is in no figure."
)


@dataclass(frozen=True, slots=True)
class Account:
    """Where the deployment is: what a process of it finds in its environment."""

    emulator: ministack.Account
    environment: Mapping[str, str]

    def put(self, tenant: str, path: str, text: str) -> dict[str, object]:
        """The event of a file that was put there."""
        key = f"tenants/{tenant}/{COLLECTION}/{path}"
        self.emulator.s3.put_object(Bucket=_BUCKET, Key=key, Body=text.encode())
        detail = {"bucket": {"name": _BUCKET}, "object": {"key": key, "sequencer": f"{int(time() * 1e6):016X}"}}
        return {"detail-type": "Object Created", "time": "2026-01-01T00:00:00Z", "detail": detail}


@dataclass(frozen=True, slots=True)
class Spent:
    """Resources that one process has used: megabytes at most, seconds of processors, requests to AWS, and seconds that
    their answers took.
    """

    peak: float = 0.0
    cpu_s: float = 0.0
    requests: int = 0
    dynamodb_requests: int = 0
    waited_s: float = 0.0


@dataclass
class Function:
    """Processes of the function, one at a time.

    Attributes:
        spent: by the present one. kills: how many ended so.
    """

    account: Account
    home: Path
    embedder: str
    spent: Spent = Spent()
    kills: int = 0
    _process: "subprocess.Popen[str] | None" = field(default=None)

    def batch(self, events: Sequence[Mapping[str, object]], receives: int = 1) -> None:
        """All are carried out; Raises RuntimeError."""
        answer = self._ask(_records(events, receives))
        if answer["batchItemFailures"]:
            raise RuntimeError(f"The function failed: {answer}")

    def killed_batch(self, events: Sequence[Mapping[str, object]], after: float) -> None:
        """Kill the process during a batch, then send the same events again."""
        process = self._running()
        killer = Timer(after, process.send_signal, [signal.SIGKILL])
        killer.start()
        try:
            self._ask(_records(events, 1))
        except (BrokenPipeError, EOFError):
            self.kills += 1
        killer.join()
        self.end()
        self.batch(events, receives=2)

    def state(self, tenant: str) -> Any:
        """Return the state in the form of `arriving`."""
        return self._ask({"state": tenant})

    def end(self) -> None:
        """No process is left."""
        if self._process is not None:
            self._process.communicate()
            self._process = None

    def _ask(self, event: Mapping[str, object]) -> Any:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(event) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise EOFError
        reported = json.loads(line)
        self.spent = Spent(**reported["spent"])
        return reported["answer"]

    def _running(self) -> "subprocess.Popen[str]":
        if self._process is None:
            later = str(self.kills * _LEASE_S)
            command = [sys.executable, "-m", "bench.arriving", str(self.home), self.embedder, later]
            self._process = subprocess.Popen(
                command,
                env={**os.environ, **self.account.environment},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        return self._process


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some documents in a row.

    Attributes:
        last: how many there are by then. a_second: of them. peak: megabytes, by then.
        cpu_ms, requests, dynamodb_requests: of the process, for each. emulators_ms: until those were answered.
    """

    last: int
    a_second: float
    cpu_ms: float
    requests: float
    dynamodb_requests: float
    emulators_ms: float
    peak: float

    @property
    def own_ms(self) -> float:
        """Of each, all the time that no emulator took."""
        return 1e3 / self.a_second - self.emulators_ms


def arrive(account: Account, function: Function, corpus: Corpus, documents: int, stretch: int) -> Iterator[Stretch]:
    """Ingest the documents, whose files are put before the clock runs, and yield the figures of each interval."""
    function.batch([account.put(TENANT, ".policy.yaml", _POLICY)])
    for first in range(0, documents, stretch):
        numbers = range(first, min(first + stretch, documents))
        events = [account.put(TENANT, f"{n % _FOLDERS:02}/{n:06}.md", _text(corpus, n)) for n in numbers]
        before, began = function.spent, perf_counter()
        for start in range(0, len(events), BATCH):
            function.batch(events[start : start + BATCH])
        seconds, each, now = perf_counter() - began, len(events), function.spent
        cpu_ms, requests = 1e3 * (now.cpu_s - before.cpu_s) / each, (now.requests - before.requests) / each
        dynamodb_requests = (now.dynamodb_requests - before.dynamodb_requests) / each
        waited_ms = 1e3 * (now.waited_s - before.waited_s) / each
        yield Stretch(numbers[-1] + 1, each / seconds, cpu_ms, requests, dynamodb_requests, waited_ms, now.peak)


def kill(account: Account, function: Function, corpus: Corpus, kills: int, batch_s: float) -> int:
    """Kill the process during each of these batches; return the number of their files."""
    chance = Random(kills)
    killed: dict[str, str] = {}
    for turn in range(kills):
        files = {f"killed/{n:06}.md": _text(corpus, n) for n in range(turn * BATCH, (turn + 1) * BATCH)}
        events = [account.put(TENANT, path, text) for path, text in files.items()]
        function.killed_batch(events, chance.uniform(0.1, 0.9) * batch_s)
        killed |= files
    function.end()
    function.batch([account.put(TWIN, ".policy.yaml", _POLICY)])
    events = [account.put(TWIN, path, text) for path, text in killed.items()]
    for start in range(0, len(events), BATCH):
        function.batch(events[start : start + BATCH])
    return len(killed)


def differences(function: Function, documents: int, killed: int) -> int:
    """Files that are not as they would be had nobody died, rows too many or too few, and what is left undone."""
    state, twin = function.state(TENANT), function.state(TWIN)
    files = [tuple(file) for file in state["files"]]
    theirs = Counter(tuple(file) for file in twin["files"])
    ours = Counter(file for file in files if file[-1] == "killed")
    wrong = (ours - theirs).total() + (theirs - ours).total() + abs(theirs.total() - killed)
    wrong += abs(len(files) - ours.total() - documents)
    wrong += sum(file[1] != "indexed" or file[2] != file[3] for file in files)
    return wrong + abs(state["rows"] - sum(file[2] for file in files)) + state["stale"]


def _text(corpus: Corpus, number: int) -> str:
    (passage,) = corpus.document(f"d{number}", 1)
    return f"# Paper {number}\n\n{passage.segment.text}\n"


def _records(events: Sequence[Mapping[str, object]], receives: int) -> dict[str, object]:
    attributes = {"ApproximateReceiveCount": str(receives)}
    named = [(str(number), json.dumps(event)) for number, event in enumerate(events)]
    return {"Records": [{"messageId": name, "body": body, "attributes": attributes} for name, body in named]}


def _deployed(held: ExitStack) -> Account:
    """Bucket, queue and tables, and two tenants."""
    emulator = held.enter_context(ministack.running({"AUTH": "false"}))
    address = held.enter_context(dynamodb.running())
    client = boto3.Session().client(
        "dynamodb",
        endpoint_url=address,
        region_name=ministack.REGION,
        aws_access_key_id=ministack.ACCOUNT,
        aws_secret_access_key="local",
    )
    names = tables.create(client)
    named = {kind: names[table] for kind, table in _TABLES.items()}
    tenants = DynamoTenants(client, TenantTables(*named.values()))
    for tenant in (TENANT, TWIN):
        tenants.add(Tenant(tenant, tenant, 60_000, 10_000, time()))
    emulator.s3.create_bucket(Bucket=_BUCKET, CreateBucketConfiguration={"LocationConstraint": ministack.REGION})
    emulator.s3.put_bucket_versioning(Bucket=_BUCKET, VersioningConfiguration={"Status": "Enabled"})
    queue = emulator.sqs.create_queue(QueueName=_BUCKET)["QueueUrl"]
    variables = {f"GROUNDWIRE_{kind}_TABLE": name for kind, name in named.items()}
    variables |= {"GROUNDWIRE_BUCKET": _BUCKET, "GROUNDWIRE_QUEUE": queue, "GROUNDWIRE_MAX_RECEIVES": "5"}
    emulator.logs.create_log_group(logGroupName=_BUCKET)
    variables |= {"GROUNDWIRE_AUDIT_LOG_GROUP": _BUCKET}
    return Account(emulator, {**emulator.credentials, "AWS_ENDPOINT_URL_DYNAMODB": address, **variables})


def run(home: Path, documents: int, stretch: int, kills: int, embedder: str, seed: int) -> Report:
    """The whole bench in an empty folder."""
    machine = this_machine()
    chosen = settings.read_settings(os.environ)
    corpus = Corpus(chosen.model / "vocab.txt", _DIMENSION, seed)
    with ExitStack() as held:
        account = _deployed(held)
        function = Function(account, home, embedder)
        held.callback(function.end)
        stretches = list(arrive(account, function, corpus, documents, stretch))
        killed = kill(account, function, corpus, kills, BATCH / stretches[-1].a_second)
        wrong = differences(function, documents, killed)
    setting = {"documents": documents, "embedder": embedder, "processes killed": function.kills}
    return _report(machine, setting, stretches, wrong)


def _report(machine: Machine, setting: Mapping[str, object], stretches: Sequence[Stretch], wrong: int) -> Report:
    first, last = stretches[0], stretches[-1]
    goals = [
        Goal("time a document, last stretch / first", first.a_second / last.a_second, "×", "one process", FLATTER),
        Goal("the same without the emulators' time", last.own_ms / first.own_ms, "×", "one process", FLATTER),
        Goal("requests to AWS a document, last stretch / first", last.requests / first.requests, "×", "", FLATTER),
        Goal("peak memory after the first stretch, grown by", last.peak - first.peak, "MB", "one process", GROWN_MB),
        Goal("what is otherwise than without kills", wrong, "", "a tenant whose process nobody killed", 0),
    ]
    rows = [
        (
            f"{each.last:,}",
            each.a_second,
            each.own_ms,
            each.emulators_ms,
            each.cpu_ms,
            each.requests,
            each.dynamodb_requests,
            each.peak,
        )
        for each in stretches
    ]
    columns = (
        "up to document",
        "a second",
        "ms each",
        "and in emulators",
        "CPU ms",
        "requests to AWS",
        "to DynamoDB",
        "peak MB",
    )
    figures = [Figures("By stretch", columns, rows)]
    return Report("Documents through the ingestion function", machine, setting, goals, figures, [NOTE])


def main() -> None:
    """At the command line."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--documents", type=int, default=10_000)
    arguments.add_argument("--stretch", type=int, default=1_000)
    arguments.add_argument("--kills", type=int, default=5)
    arguments.add_argument("--embedder", choices=("words", "onnx"), default="words")
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    with TemporaryDirectory(prefix="groundwire-bench-") as folder:
        report = run(Path(folder), chosen.documents, chosen.stretch, chosen.kills, chosen.embedder, chosen.seed)
    report.show(as_json=chosen.json)


if __name__ == "__main__":
    main()
