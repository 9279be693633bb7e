"""Readings of documents beside reference texts: `python -m bench.reading --documents DIR [--peers markitdown,docling]`.

DIR has files and `truth/NAME.md`, the text of file NAME as people wrote it down. A PDF without one is measured against
its own text layer. `titles.json` in DIR names titles: `{"report.pdf": "Annual Report"}`. Each peer runs in an
environment of its own, made in `.venv-bench-reading-PEER` from `bench/reading/PEER.txt` on the first run.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.machine import this_machine
from bench.reading.measures import measure
from bench.reading.outcome import FileOutcomes, Outcome
from bench.reading.readers import PEERS, Reader, groundwire, peer
from bench.reading.reading import UnreadableFile
from bench.reading.references import Reference, references
from bench.reading.report import ReadingReport


def run(documents: Path, peers: Sequence[str]) -> ReadingReport:
    """The whole bench."""
    machine, found = this_machine(), list(references(documents))
    present, absent = _installed(peers)
    with groundwire() as ours:
        outcomes = [_outcomes(one, [ours, *present]) for one in found if isinstance(one, Reference)]
    unmeasured = [one.name for one in found if isinstance(one, Path)]
    return ReadingReport(machine, outcomes, absent, unmeasured)


def _installed(names: Sequence[str]) -> tuple[list[Reader], list[tuple[str, str]]]:
    present, absent = list[Reader](), list[tuple[str, str]]()
    for name in names:
        try:
            present.append(peer(name))
        except UnreadableFile as failure:
            absent.append((name, str(failure)))
    return present, absent


def _outcomes(reference: Reference, readers: Sequence[Reader]) -> FileOutcomes:
    found: Mapping[str, Outcome] = {reader.name: _outcome(reference, reader) for reader in readers}
    return FileOutcomes(reference, found)


def _outcome(reference: Reference, reader: Reader) -> Outcome:
    print(f"{reader.name} reads {reference.file.name}", file=sys.stderr)
    try:
        reading = reader.read(reference.file)
    except UnreadableFile as failure:
        return Outcome(None, 0.0, str(failure))
    return Outcome(measure(reference, reading), reading.seconds)


def _peers(text: str) -> list[str]:
    names = [name for name in text.split(",") if name]
    if unknown := sorted(set(names) - set(PEERS)):
        raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: the peers are {', '.join(PEERS)}")
    return names


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--documents", type=Path, required=True, metavar="DIR")
    arguments.add_argument("--peers", type=_peers, default=[], metavar="NAME,…")
    arguments.add_argument("--json", type=Path, metavar="FILE", help="all counts, as exact data")
    chosen = arguments.parse_args()
    report = run(chosen.documents, chosen.peers)
    if chosen.json:
        chosen.json.write_text(report.json(), encoding="utf-8")
    print(report.markdown())


if __name__ == "__main__":
    main()
