"""A program reads no option that its parser does not define: that would fail only when somebody runs the program."""

from pathlib import Path

import pytest

from tests.shape.options import unknown_options
from tests.shape.source import ROOT, Source, parsed

DEFINED = """
def main():
    parser = ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("-n", "--round-trips", type=int)
    parser.add_argument("--calls", dest="number")
    chosen = parser.parse_args()
    {read}
"""


def programs() -> list[Source]:
    """Return the modules of benches, tools, tests and the checkout's other folders that parse options."""
    files = [file for folder in ("bench", "tools", "tests", "layers") for file in sorted((ROOT / folder).rglob("*.py"))]
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    return [parsed(str(file.relative_to(ROOT)), text) for file, text in texts.items() if "parse_args(" in text]


def test_every_option_that_a_program_reads_is_defined_by_its_parser() -> None:
    read = programs()
    assert {"bench/scale.py", "bench/protocol/__main__.py"} <= {source.name for source in read}
    assert [finding for source in read for finding in unknown_options(source)] == []


def test_every_bench_with_a_parser_reads_its_options_where_the_rule_sees_them() -> None:
    benches = [file for file in Path(ROOT / "bench").rglob("*.py") if "ArgumentParser(" in file.read_text()]
    assert {str(file.relative_to(ROOT)) for file in benches} <= {source.name for source in programs()}


@pytest.mark.parametrize("read", ["chosen.folder", "chosen.round_trips", "f(chosen.number)"])
def test_an_option_of_the_parser_may_be_read(read: str) -> None:
    assert not list(unknown_options(parsed("bench/a.py", DEFINED.format(read=read))))


@pytest.mark.parametrize("read", ["chosen.rounds", "chosen.calls", "chosen.n", "f(chosen)", "vars(chosen)['folder']"])
def test_an_option_that_the_parser_lacks_and_options_that_are_passed_on_are_found(read: str) -> None:
    assert list(unknown_options(parsed("bench/a.py", DEFINED.format(read=read))))
