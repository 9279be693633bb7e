"""Commands that need libraries beyond those of `make run` name the missing library in one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_WITHOUT = """\
import sys
sys.modules.update(dict.fromkeys(sys.argv.pop(1).split(",")))
from groundwire.entry.cli.main import main
main()
"""
_AWS = "boto3,botocore"


@pytest.mark.parametrize(
    ("lacks", "environment", "arguments", "stated"),
    [
        ("opensearchpy", {"GROUNDWIRE_INDEX": "http://127.0.0.1:9"}, ["search", "x", "-t", "acme"], "opensearch"),
        (
            _AWS,
            {"GROUNDWIRE_INDEX": "https://search.example", "GROUNDWIRE_INDEX_SERVICE": "serverless-nextgen"},
            ["search", "x", "-t", "acme"],
            "aws",
        ),
        (_AWS, {"GROUNDWIRE_EMBEDDER": "bedrock:amazon.titan-embed-text-v2:0"}, ["search", "x", "-t", "acme"], "aws"),
        (_AWS, {"GROUNDWIRE_RERANKER": "bedrock:cohere.rerank-v3-5:0"}, ["search", "x", "-t", "acme"], "aws"),
        (_AWS, {}, ["--stack", "dev", "tenant", "list"], "aws"),
    ],
)
def test_an_extra_that_is_missing_is_named(
    tmp_path: Path, lacks: str, environment: dict[str, str], arguments: list[str], stated: str
) -> None:
    home = {"GROUNDWIRE_HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    for command, settings in ((["tenant", "create", "acme"], home), (arguments, home | environment)):
        ended = subprocess.run(
            [sys.executable, "-c", _WITHOUT, lacks, *command], env=settings, capture_output=True, text=True, check=False
        )
    assert ended.returncode == 1
    assert ended.stderr.count("\n") == 1
    assert f"pip install -e '.[{stated}]'" in ended.stderr


def test_a_cluster_of_ones_own_needs_nothing_of_aws(tmp_path: Path) -> None:
    environment = {
        "GROUNDWIRE_HOME": str(tmp_path),
        "GROUNDWIRE_INDEX": "http://127.0.0.1:9",
        "PATH": os.environ["PATH"],
    }
    command = [sys.executable, "-c", _WITHOUT, _AWS, "doctor"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert "BAD index The index does not answer: check its address" in ended.stderr
