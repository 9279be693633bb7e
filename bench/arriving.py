"""The process of the ingestion function, as Lambda runs it: an event on each line in, an answer on each line out.

`python -m bench.arriving HOME words|onnx SECONDS`; `bench.object_events` starts it, kills it and starts it again, its
clock then so many seconds ahead, so that leases have ended. The index is that of a home folder, and the parser a
process of this machine; files, queue and tables are those of the environment.
"""

import json
import resource
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from threading import get_ident
from typing import TYPE_CHECKING, Final

from tests.support.worlds.exchange import exchange

if TYPE_CHECKING:
    from groundwire.wiring.cloud.services import IngestionFunction

_APP: Final = Path(__file__).parents[1] / "functions" / "ingestion" / "app.py"
_STATUS: Final = Path("/proc/self/status")
_LEFT_MS: Final = 300_000
_TO_MB: Final = 1 / (1024 * 1024 if sys.platform == "darwin" else 1024)


class Context:
    """Lambda context with a constant remaining time."""

    function_name: Final = "ingestion"

    def get_remaining_time_in_millis(self) -> int:
        """Return the whole time limit, in milliseconds."""
        return _LEFT_MS


def main() -> None:
    """Answer the events of standard input until it ends."""
    home, embedder, later = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
    now = time.time
    time.time = lambda: now() + later

    import runpy

    handler = runpy.run_path(str(_APP))["handler"]
    aws = _listened()
    services = _services(home, embedder)
    for line in sys.stdin:
        event = json.loads(line)
        answer = _state(services, event["state"]) if "state" in event else handler(event, Context())
        used = resource.getrusage(resource.RUSAGE_SELF)
        cpu_s = used.ru_utime + used.ru_stime
        spent = {
            "peak": _peak_mb(used),
            "cpu_s": cpu_s,
            "requests": aws.requests,
            "dynamodb_requests": aws.dynamodb_requests,
            "waited_s": aws.waited_s,
        }
        sys.stdout.write(json.dumps({"answer": answer, "spent": spent}) + "\n")
        sys.stdout.flush()


def _peak_mb(used: resource.struct_rusage) -> float:
    """The kernel's own mark where there is one: `ru_maxrss` begins with that of the process that started this one."""
    if _STATUS.is_file():
        reported = dict(line.split(":", 1) for line in _STATUS.read_text(encoding="utf-8").splitlines())
        return int(reported["VmHWM"].split()[0]) / 1024
    return used.ru_maxrss * _TO_MB


@dataclass
class Aws:
    """Number of requests to AWS and to DynamoDB so far, and the seconds until their answers, summed over threads."""

    requests: int = 0
    dynamodb_requests: int = 0
    waited_s: float = 0.0
    _sent_at: dict[int, float] = field(default_factory=dict[int, float])

    def sent(self, event_name: str, **_request: object) -> None:
        """Count a request; the event is named after service and operation."""
        self.requests += 1
        self.dynamodb_requests += event_name.startswith("before-send.dynamodb")
        self._sent_at[get_ident()] = time.perf_counter()

    def answered(self, **_response: object) -> None:
        """The thread's request has its answer."""
        self.waited_s += time.perf_counter() - self._sent_at.pop(get_ident(), time.perf_counter())


def _listened() -> Aws:
    from groundwire.adapters.aws import clients

    aws = Aws()
    session = clients._session()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - what all clients are made of
    session.register("before-send", aws.sent)  # pyright: ignore[reportUnknownMemberType]
    session.register("response-received", aws.answered)  # pyright: ignore[reportUnknownMemberType]
    return aws


def _services(home: Path, embedder: str) -> "IngestionFunction":
    from groundwire import wiring
    from groundwire.adapters.local.index import EmbeddedIndexes
    from groundwire.adapters.parse import ConfinedParser, ParserLimits
    from tests.support.models.hashed_words import OnlyHashedWords

    services = wiring.ingestion_services()
    exchange(services, parser=ConfinedParser(ParserLimits(), allow_unconfined=False))
    if embedder == "words":
        exchange(services, embedders=OnlyHashedWords())
    model = services.models.embedders.default.model
    exchange(services, indexes=EmbeddedIndexes(home / "tenants", model))
    exchange(services, image_indexes=EmbeddedIndexes(home / "images", model))
    return services


def _state(services: "IngestionFunction", tenant: str) -> dict[str, object]:
    """Return what an owner could see and what a search finds: by file, without made-up ids."""
    from groundwire.ports import DocumentVersion

    index = services.stores.indexes.for_tenant(tenant)
    living = services.stores.documents.all(tenant, None)
    rows = {each.doc_id: index.count_version_rows(DocumentVersion(each.doc_id, each.version)) for each in living}
    files = [
        (each.source_file_name, each.state, each.segments, rows[each.doc_id], each.reason, _folder(each.source_path))
        for each in living
    ]
    return {
        "files": sorted(files),
        "rows": index.count_rows(),
        "stale": len(services.stores.documents.stale_documents(tenant)),
    }


def _folder(source_path: str | None) -> str:
    return (source_path or "").split("/")[-2]


if __name__ == "__main__":
    main()
