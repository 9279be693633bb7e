"""One node serves every test process of the checkout, listens to this machine alone and ends with its last holder."""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from tests.support.engines import opensearch
from tests.support.engines.installers.maven import CACHE
from tests.support.engines.leases import take
from tests.support.engines.missing import Absent, answer


def ask(url: str, method: str, path: str, body: object = None) -> dict[str, object]:
    content = None if body is None else json.dumps(body).encode()
    request = Request(url + path, content, {"content-type": "application/json"}, method=method)
    with urlopen(request, timeout=60) as response:
        return json.loads(response.read())


def test_it_finds_by_vectors_under_a_filter_that_counts_tags(opensearch_url: str) -> None:
    index = f"/t-{secrets.token_hex(6)}"
    field = {"type": "knn_vector", "dimension": 2, "method": {"name": "hnsw", "engine": "lucene"}}
    properties = {"vector": field, "tags": {"type": "keyword"}, "needed": {"type": "integer"}}
    ask(opensearch_url, "PUT", index, {"settings": {"index.knn": True}, "mappings": {"properties": properties}})
    for name, tags in {"one": ["a"], "both": ["a", "b"]}.items():
        document = {"vector": [1, 0], "tags": tags, "needed": len(tags)}
        ask(opensearch_url, "PUT", f"{index}/_doc/{name}?refresh=true", document)
    holds_all = {"terms_set": {"tags": {"terms": ["a"], "minimum_should_match_field": "needed"}}}
    query = {"knn": {"vector": {"vector": [1, 0], "k": 5, "filter": holds_all}}}
    hits = ask(opensearch_url, "POST", f"{index}/_search?filter_path=hits.hits._id", {"query": query})
    assert hits == {"hits": {"hits": [{"_id": "one"}]}}
    ask(opensearch_url, "DELETE", index)


SAY_WHERE = """
from tests.support.engines.opensearch import running
with running() as url:
    print(url)
"""


def test_another_process_gets_the_same_node(opensearch_url: str) -> None:
    reported = subprocess.run([sys.executable, "-c", SAY_WHERE], capture_output=True, text=True, check=True).stdout
    assert reported.strip() == opensearch_url


def test_it_listens_to_this_machine_alone(opensearch_url: str) -> None:
    assert urlsplit(opensearch_url).hostname == "127.0.0.1" or "OPENSEARCH_URL" in os.environ


HOLD = """
import sys
from tests.support.engines.leases import take
lease = take(int(sys.argv[1]), sys.argv[2])
print("held" if lease else "not given", flush=True)
input()
"""


@pytest.fixture
def folder() -> Generator[Path]:
    """Beside the node's own: an unprivileged user enters no folder of pytest's."""
    made = CACHE / f"lease-{secrets.token_hex(4)}"
    yield made
    shutil.rmtree(made, ignore_errors=True)


def test_a_node_ends_with_the_last_process_that_holds_it_even_when_that_is_killed(folder: Path) -> None:
    try:
        node = opensearch.launch(folder, "word")
    except Absent as absent:
        answer(absent)
    with opensearch.first_lease(folder, node, "word") as lease:
        command = [sys.executable, "-c", HOLD, str(lease.getpeername()[1]), "word"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
            assert holder.stdout is not None
            assert holder.stdout.readline().strip() == "held"
            lease.close()
            assert node.poll() is None
            holder.kill()
    assert node.wait(timeout=30) == 0


def test_another_server_at_the_lease_address_gives_no_lease() -> None:
    with socket.create_server(("127.0.0.1", 0)) as stranger:

        def greet() -> None:
            with stranger.accept()[0] as caller:
                caller.send(b"220 mail\n")

        greeting = Thread(target=greet)
        greeting.start()
        assert take(stranger.getsockname()[1], "word") is None
        greeting.join()
