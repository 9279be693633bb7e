"""The project's tree passes the wall in both readings, and a commit from before the wall does not."""

import shutil
import subprocess
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.support.aws.kernel.lambda_kernel import under_lambda_kernel
from tests.support.aws.refusals import __main__ as command
from tests.support.aws.refusals.known import KNOWN_FINDINGS
from tests.support.aws.refusals.rule import Finding, Reading, findings
from tests.support.aws.refusals.rules import TEMPLATE_RULES
from tests.support.aws.refusals.template import read_template
from tests.support.aws.refusals.tree.rules import TREE_RULES
from tests.support.aws.refusals.tree.tree import ROOT, Tree, committed
from tests.support.engines.missing import Absent, answer

BEFORE_THE_WALL: Final = "3ebf3387"
REFUSED_THEN: Final = {
    "route-trailing-slash",
    "route-equal-without-slash",
    "routes-created-at-once",
    "nested-seccomp",
    "log-stream-per-environment",
    "custom-id-needed",
}
"""Rules that the commit breaks: keys of routes, their number at once, the parser's filter, the audit log, and ids."""
PARAMETERS: Final[Sequence[dict[str, str]]] = (
    {},
    {"OpenSearchUrl": "https://search.example.com", "EmbeddingImageUri": "registry/embedding:1"},
    {"WarmerSchedule": "rate(8 minutes)", "DomainName": "mcp.example.com", "CertificateArn": "arn:aws:acm:one"},
    {
        "BudgetEmail": "ops@example.com",
        "BedrockEmbedder": "amazon.titan-embed-text-v2:0",
        "SnapStart": "PublishedVersions",
    },
)


@pytest.fixture(scope="module", autouse=True)
def kernel() -> None:
    """The launcher works here."""
    try:
        under_lambda_kernel()
    except Absent as absent:
        answer(absent)


@pytest.fixture(scope="module")
def before() -> Generator[Tree]:
    """The tree of the commit; left out where this checkout has no history."""
    if shutil.which("git") is None:
        answer(Absent("git is not installed."))
    known = subprocess.run(["git", "cat-file", "-e", BEFORE_THE_WALL], cwd=ROOT, capture_output=True, check=False)
    if known.returncode != 0:
        answer(Absent(f"this checkout has no commit {BEFORE_THE_WALL}."))
    with committed(BEFORE_THE_WALL) as tree:
        yield tree


def found(tree: Tree, parameters: dict[str, str], reading: Reading) -> list[Finding]:
    return list(findings(TEMPLATE_RULES, read_template(tree.template, parameters), reading))


@pytest.mark.parametrize("reading", Reading)
@pytest.mark.parametrize("parameters", PARAMETERS, ids=lambda given: ",".join(given) or "defaults")
def test_the_template_passes_in_both_readings(parameters: dict[str, str], reading: Reading) -> None:
    assert found(Tree(ROOT), parameters, reading) == []


@pytest.mark.parametrize("rule", TREE_RULES, ids=lambda rule: rule.id)
def test_the_code_passes_but_for_the_known_findings(rule: object) -> None:
    broken = {finding.rule for finding in findings([rule], Tree(ROOT), Reading.REFUSED)}  # pyright: ignore[reportArgumentType]
    assert broken == {getattr(rule, "id", "")} & KNOWN_FINDINGS.keys()


def test_a_commit_from_before_the_wall_is_refused(before: Tree) -> None:
    listed = command.findings_of_tree(before, {}, Reading.REFUSED)
    assert {finding.rule for finding in listed} == REFUSED_THEN
    assert {"ANY /_plugins/_ml/mcp/", "ANY /opensearch/"} <= {finding.place.partition(": ")[2] for finding in listed}


def test_that_commit_parses_where_the_kernel_takes_filters(before: Tree) -> None:
    assert before.probe("parsing") == []


def test_that_commit_writes_where_there_are_streams_enough(before: Tree) -> None:
    assert before.probe("auditing", "50", "50") == []


def test_the_command_lists_findings_and_counts_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with committed("HEAD") as tree:
        shutil.copytree(tree.folder, tmp_path, dirs_exist_ok=True)
    (tmp_path / "template.yaml").write_text(
        "Resources:\n  One: {Type: AWS::Serverless::Function, Properties: {Timeout: 901}}\n", encoding="utf-8"
    )
    assert command.main(["--tree", str(tmp_path)]) == 1
    stated = capsys.readouterr().out.splitlines()
    assert stated[0] == "function-timeout: One: 901 s, at most 900"
    assert stated[-1] == f"{len(stated) - 1} findings, {len(TEMPLATE_RULES) + len(TREE_RULES)} rules"


@pytest.mark.parametrize(
    ("given", "stated"),
    [
        (["foo"], "'foo' has no value: write NAME=VALUE."),
        (["Foo=1"], "the template has no parameter Foo; it has AlarmTopicArn, "),
        (["ParserNetwork=ajar"], "ParserNetwork is one of closed, open, not 'ajar'."),
        (["--commit", "nosuch"], "this repository has no commit 'nosuch'."),
        (["--commit", ""], "this repository has no commit ''."),
        (["--tree", "/nowhere"], "/nowhere/template.yaml is not there."),
    ],
)
def test_the_command_refuses_what_names_no_parameter_value_or_tree(
    given: list[str], stated: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(given)
    assert ended.value.code == 2
    assert stated in capsys.readouterr().err
