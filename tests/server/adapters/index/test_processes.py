import subprocess
import sys
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.domain.access.policy import single_policy
from tests.support.documents.index_documents import TENANT, for_tags, put, readable, someone

ROOT = Path(__file__).parents[4]
Say = Callable[[str], str]


@contextmanager
def another_process(folder: Path) -> Generator[Say]:
    command = [sys.executable, "-m", "tests.server.adapters.index.writer", str(folder)]
    with subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        wanted, given = process.stdin, process.stdout
        assert wanted is not None
        assert given is not None

        def say(line: str) -> str:
            wanted.write(line + "\n")
            wanted.flush()
            return given.readline().strip()

        yield say


@pytest.fixture
def say(folder: Path) -> Generator[Say]:
    with another_process(folder) as say:
        yield say


def test_each_process_sees_at_its_next_search_what_the_other_wrote(indexes: EmbeddedIndexes, say: Say) -> None:
    here = indexes.for_tenant(TENANT)
    put(here, "mine", ["text"], for_tags("a"))
    assert say("read a") == "mine"
    assert say("put theirs a") == "done"
    assert readable(here, someone("a")) == {"mine", "theirs"}
    say("policy mine b")
    assert readable(here, someone("a")) == {"theirs"}
    assert readable(here, someone("b")) == {"mine"}
    say("prune theirs")
    assert readable(here, someone("a")) == set()
    here.set_readers("mine", single_policy(for_tags("c")))
    assert (say("read b"), say("read c")) == ("", "mine")


def test_an_index_that_another_process_dropped_is_empty_here_and_can_be_filled_again(
    indexes: EmbeddedIndexes, say: Say
) -> None:
    put(indexes.for_tenant(TENANT), "d", ["text"], for_tags("a"))
    say("drop")
    assert readable(indexes.for_tenant(TENANT), someone("a")) == set()
    put(indexes.for_tenant(TENANT), "e", ["text"], for_tags("a"))
    assert say("read a") == "e"


def test_processes_that_make_one_index_at_the_same_time_all_write_to_it(folder: Path) -> None:
    with ExitStack() as stack:
        others = [stack.enter_context(another_process(folder)) for _ in range(3)]
        pool = stack.enter_context(ThreadPoolExecutor(3))
        orders = [pool.submit(say, f"put d{number} a") for number, say in enumerate(others)]
        assert [order.result() for order in orders] == ["done"] * 3
        assert [say("read a") for say in others] == ["d0 d1 d2"] * 3
