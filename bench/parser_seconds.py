"""Processor seconds of a PDF of ten pages in both functions, beside one function: `python -m bench.parser_seconds`.

Both functions run in one process, as they are composed in Lambda. An emulator has bucket, tables and queue in another
process. The embedder is that of the embedding function; the index is a cheap one. The peer is what one function did
before: the same ingestion with a parser whose worker lives on. Each first document is measured in a new process.
"""

import argparse
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from types import SimpleNamespace
from typing import Any, Final, Literal
from unittest.mock import patch

from bench.bill import DEPLOYED
from bench.machine import this_machine
from bench.parser_cost import Processor
from bench.report import Figures, Goal, Report
from groundwire import wiring
from groundwire.adapters.aws import clients
from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.adapters.parse import ConfinedParser
from groundwire.adapters.parse.function.limits import PARSER_LIMITS
from groundwire.adapters.parse.function.parser_function import ParserFunction
from groundwire.ports import Embedder, ModelId, Vector
from groundwire.wiring.cloud.embedding import load_embedder
from groundwire.wiring.cloud.services import IngestionFunction
from groundwire_readers.contents.parsed import ParsedDocument
from tests.support.aws.ingestion_stack import KeptLines
from tests.support.aws.parser_stack import BUCKET, Lambda, TestsProcess, bucket, function_parsers, parser_function
from tests.support.aws.template import tables
from tests.support.documents.pdf import pdf
from tests.support.engines.ministack import Account
from tests.support.registry.records import tenant
from tests.support.worlds.exchange import exchange

PAGES: Final = 10
LINES: Final = 30
RATIO: Final = 1.3
_TENANT: Final = "t-acme"
_ROOT: Final = Path(__file__).parents[1]
_TABLES: Final = ("KeysTable", "UsersTable", "DocumentsTable", "SessionsTable")
_WORDS: Final = (
    *("approval", "budget", "claim", "contract", "day", "expense", "flight", "holiday", "hotel", "invoice", "leave"),
    *("limit", "manager", "month", "office", "payment", "policy", "receipt", "report", "supplier", "team", "ticket"),
)
_CONTEXT: Final = SimpleNamespace(get_remaining_time_in_millis=lambda: 300_000, function_name="ingestion")
_COLUMNS: Final = ("start", "one function", "parser", "ingestion", "embedding", "GB-s before", "GB-s now", "ratio")
_PARTS: Final = ("document", "parser", "its client", "rest of ingestion", "embedding", "parser that lives on")
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_TREE_FIELDS: Final = slice(11, 15)
"""User and system time of a process and of the children that it reaped, after its name. Source: proc(5), `stat`."""


@dataclass(frozen=True, slots=True)
class Seconds:
    """Processor seconds of one document; user and system time.

    Attributes:
        parser: of the parser function, with its worker.
        client: of the parser's client in the ingestion function.
        ingestion: of the rest of the ingestion function.
        embedding: of the embedding function, on one thread.
        alone: of a parser whose worker lives on.
    """

    parser: float
    client: float
    ingestion: float
    embedding: float
    alone: float

    def processor(self, started: float, parser_started: float) -> Processor:
        """Return the seconds of one function and of both, with those of the start of the functions."""
        ingestion = started + self.ingestion
        now = parser_started + self.parser, ingestion + self.client
        return Processor(ingestion + self.alone, *now, self.embedding)


def ten_pages(seed: int) -> bytes:
    """Return a PDF of ten pages of prose with headings."""
    draw = Random(seed)
    lines = [[(9, " ".join(draw.choices(_WORDS, k=12))) for _ in range(LINES)] for _ in range(PAGES)]
    return pdf([[(18, f"Section {number}"), *each] for number, each in enumerate(lines, 1)])


class TimedHandler:
    """The handler of the parser function, and the seconds that it and its workers took."""

    def __init__(self, handler: ParserFunction, process: TestsProcess) -> None:
        self._handler = handler
        self._process = process
        self.own = 0.0

    def __call__(self, event: object, request_id: str) -> Mapping[str, object]:
        """Return the handler's answer."""
        has_started = process_time()
        try:
            return self._handler(event, request_id)
        finally:
            self.own += process_time() - has_started

    def workers(self) -> float:
        """Return the seconds of the fork server and of the workers that it reaped."""
        server = self._process.fork_server
        return 0.0 if server is None else tree_seconds(server)


class TimedParsers:
    """Implements `ports.Parsers` and `ports.Parser`, and counts the seconds of this process in it."""

    def __init__(self, parsers: Any) -> None:
        self._parsers = parsers
        self.version: str = parsers.version
        self.ocr_version: str = parsers.ocr_version
        self.seconds = 0.0

    def for_tenant(self, tenant: str) -> "TimedParsers":
        """Return this: there is one tenant."""
        self._parser = self._parsers.for_tenant(tenant)
        return self

    def parse(self, content: bytes, file_type: str, **options: bool) -> ParsedDocument:
        """Return the parser's answer."""
        has_started = process_time()
        try:
            return self._parser.parse(content, file_type, **options)
        finally:
            self.seconds += process_time() - has_started


class TimedEmbedder:
    """Implements `ports.Embedder` and `ports.Embedders` by the embedding function's model, and counts its seconds."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.model = embedder.model
        self.languages = embedder.languages
        self.default = self
        self.seconds = 0.0

    def for_model(self, _model: ModelId) -> "TimedEmbedder":
        """Return this: there is one model."""
        return self

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        """Return the model's vectors."""
        has_started = process_time()
        try:
            return self._embedder.embed(texts, kind)
        finally:
            self.seconds += process_time() - has_started


def tree_seconds(pid: int) -> float:
    """Return the seconds of a process and of the children that it reaped."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[_TREE_FIELDS])) / _TICKS


@contextmanager
def ingestion(account: Account, parsers: TimedParsers, embedder: TimedEmbedder) -> Generator[IngestionFunction]:
    """The services of the ingestion function in the account, with this parser, this embedder and a tenant."""
    with TemporaryDirectory(prefix="groundwire-bench-") as folder, ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, account.credentials))
        names = tables.create(clients.dynamodb(), _TABLES)
        queue = account.sqs.create_queue(QueueName="ingestion")["QueueUrl"]
        own = {f"{name.removesuffix('Table').upper()}_TABLE": names[name] for name in _TABLES}
        own |= {"BUCKET": BUCKET, "QUEUE": queue, "MAX_RECEIVES": "3"}
        stack.enter_context(patch.dict(os.environ, {f"GROUNDWIRE_{name}": value for name, value in own.items()}))
        stack.callback(wiring.reset)
        services = wiring.ingestion_services()
        texts, images = (EmbeddedIndexes(Path(folder, name), embedder.model) for name in ("texts", "images"))
        stack.callback(images.close)
        stack.callback(texts.close)
        exchange(services, embedders=embedder, parser=parsers, audit=KeptLines())
        exchange(services, indexes=texts, image_indexes=images)
        services.stores.tenants.add(tenant(_TENANT))
        yield services


def measured_documents(documents: int) -> Iterator[Seconds]:
    """Yield the seconds of each document, which both functions and the peer ingest one after the other."""
    handle = runpy.run_path(str(_ROOT / "functions" / "ingestion" / "app.py"))["handler"]
    with patch.dict(os.environ, {"GROUNDWIRE_THREADS": "1"}):
        embedder = TimedEmbedder(load_embedder())
    embedder.embed(["warm"], "passage")
    process = TestsProcess()
    with (
        bucket() as (account, opened),
        parser_function(account, process) as function,
        ConfinedParser(PARSER_LIMITS) as alone,
    ):
        handler = TimedHandler(function, process)
        parsers = TimedParsers(function_parsers(opened, Lambda(handler)))
        with ingestion(account, parsers, embedder) as services:
            for number in range(documents):
                content = ten_pages(number)
                event = _stored(account, f"bench/{number}.pdf", content)
                before = (handler.own, handler.workers(), parsers.seconds, embedder.seconds, process_time())
                if handle(event, _CONTEXT)["batchItemFailures"]:
                    raise RuntimeError(event)
                after = (handler.own, handler.workers(), parsers.seconds, embedder.seconds, process_time())
                own, workers, client, embedding, all_of_it = (
                    end - start for start, end in zip(before, after, strict=True)
                )
                [done] = [
                    each
                    for each in services.stores.documents.all(_TENANT, None)
                    if each.source_file_name == f"{number}.pdf"
                ]
                if done.pages != PAGES:
                    raise RuntimeError(done.reason)
                rest = all_of_it - client - embedding
                yield Seconds(own + workers, client - own, rest, embedding, _alone(alone, content))


def _stored(account: Account, path: str, content: bytes) -> Mapping[str, object]:
    """Store a file in the bucket; return the event by which the ingestion function learns of it."""
    key = f"tenants/{_TENANT}/{path}"
    account.s3.put_object(Bucket=BUCKET, Key=key, Body=content)
    detail = {"bucket": {"name": BUCKET}, "object": {"key": key, "sequencer": "1"}}
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    event = {"detail-type": "Object Created", "source": "aws.s3", "time": at, "detail": detail}
    record = {"messageId": "0", "body": json.dumps(event), "attributes": {"ApproximateReceiveCount": "1"}}
    return {"Records": [record]}


def _alone(parser: ConfinedParser, content: bytes) -> float:
    """Return the seconds of a parser whose worker lives on; its first document starts it."""
    before = 0.0 if parser.worker_pid is None else tree_seconds(parser.worker_pid)
    has_started = process_time()
    parser.parse(content, "pdf")
    worker = parser.worker_pid
    if worker is None:
        raise RuntimeError("The worker of the peer was replaced.")
    return process_time() - has_started + tree_seconds(worker) - before


def seconds_of_a_start(function: str) -> float:
    """Return the seconds of an interpreter that imports a function."""
    program = f"import runpy; runpy.run_path({str(_ROOT / 'functions' / function / 'app.py')!r})"
    environment = {"PATH": os.environ["PATH"], "AWS_LAMBDA_FUNCTION_NAME": function}
    with subprocess.Popen([sys.executable, "-c", program], env=environment, cwd=_ROOT) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(function)
    return used.ru_utime + used.ru_stime


def _in_a_new_process() -> Seconds:
    command = [sys.executable, "-m", "bench.parser_seconds", "--one"]
    return Seconds(**json.loads(subprocess.run(command, cwd=_ROOT, capture_output=True, check=True).stdout))


def _middle(documents: Sequence[Seconds]) -> Seconds:
    each = [asdict(one) for one in documents]
    return Seconds(**{name: median(one[name] for one in each) for name in each[0]})


def _row(processor: Processor) -> tuple[float, ...]:
    seconds = processor.before, processor.parser, processor.ingestion, processor.embedding
    bills = processor.gb_seconds_before(DEPLOYED), processor.gb_seconds_now(DEPLOYED)
    return (*seconds, *bills, processor.ratio(DEPLOYED))


def _goals(start: str, processor: Processor) -> Iterator[Goal]:
    for part, each in (("", processor), (", without embedding", processor.without_embedding())):
        anchor = f"one function {each.gb_seconds_before(DEPLOYED):.2f}"
        yield Goal(f"GB-seconds, {start}{part}", each.ratio(DEPLOYED), "×", anchor, RATIO)


def run(documents: int, starts: int) -> Report:
    """Measure first documents in new processes, then further ones in this."""
    first = _middle([_in_a_new_process() for _ in range(starts)])
    own, parsers = (median(seconds_of_a_start(name) for _ in range(starts)) for name in ("ingestion", "parser"))
    warm = _middle(list(measured_documents(documents + 1))[1:])
    kinds = {"warm": warm.processor(0, 0), "cold": first.processor(own, parsers)}
    parts = [("warm", *asdict(warm).values()), ("first in a process", *asdict(first).values())]
    memories = f"{DEPLOYED.parser}, {DEPLOYED.ingestion} and {DEPLOYED.embedding} MB"
    return Report(
        "A document of ten pages in the functions parser, ingestion and embedding",
        this_machine(),
        {"documents": documents, "starts": starts, "memories": memories},
        [goal for start, each in kinds.items() for goal in _goals(start, each)],
        [
            Figures(
                "Processor seconds and GB-seconds", _COLUMNS, [(name, *_row(each)) for name, each in kinds.items()]
            ),
            Figures("Processor seconds by part", _PARTS, parts, digits=3),
        ],
        ["TLS and waits for the network are left out. The embedding function is warm."],
    )


def main() -> None:
    """Read the command line and show the report."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--documents", type=int, default=20)
    arguments.add_argument("--starts", type=int, default=5)
    arguments.add_argument("--one", action="store_true", help="print the seconds of one first document as JSON")
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    if chosen.one:
        print(json.dumps(asdict(next(measured_documents(1)))))
        return
    run(chosen.documents, chosen.starts).show(as_json=chosen.json)


if __name__ == "__main__":
    main()
