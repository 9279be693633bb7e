"""Rules for the behaviour of a tree's code, independent of its template."""

from collections.abc import Iterable
from typing import Final

from tests.support.aws.kernel.lambda_kernel import under_lambda_kernel
from tests.support.aws.refusals.calls.logs import STREAMS_PER_SECOND
from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source
from tests.support.aws.refusals.tree.tree import Tree

_STARTED_PER_SECOND: Final = 100
"""Lambda adds up to 1,000 environments to a function in ten seconds (Lambda developer guide: Scaling behavior)."""


def _parsing(tree: Tree) -> Iterable[str]:
    return tree.probe("parsing", prefix=under_lambda_kernel())


def _auditing(tree: Tree) -> Iterable[str]:
    return tree.probe("auditing", str(_STARTED_PER_SECOND), str(STREAMS_PER_SECOND))


def _writing(tree: Tree) -> Iterable[str]:
    return tree.probe("writing")


TREE_RULES: Final = (
    Rule(
        "nested-seccomp",
        "A deployed function cannot parse where the kernel refuses filters of system calls.",
        "EPERM from prctl(PR_SET_SECCOMP) and seccomp(); kernel 5.10 has no Landlock",
        Source(
            "openai/codex#38779 and #4725; wiki of rapidlua/luajit.me; neoblog, a sandbox for student code", LOOKED_UP
        ),
        _parsing,
        doubt="Only reports state it. Nobody reported success.",
    ),
    Rule(
        "log-stream-per-environment",
        "A call fails because its new environment cannot create a log stream.",
        "50 CreateLogStream a second; Lambda adds up to 1,000 environments to a function in 10 seconds",
        Source("botocore service model logs, CreateLogStream; Lambda developer guide: Scaling behavior", LOOKED_UP),
        _auditing,
    ),
    Rule(
        "custom-id-needed",
        "A document cannot be written where the service refuses chosen ids.",
        '"Document ID is not supported in create/index operation request"',
        Source(
            "OpenSearch Serverless developer guide: Working with vector search collections; "
            "Migration Assistant: Collection types",
            LOOKED_UP,
        ),
        _writing,
        doubt="On the first page NextGen collections take ids. On the second the server makes them.",
    ),
)
