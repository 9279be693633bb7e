"""Tokens of answers over those of their passages: `python -m bench.answer_tokens [--json]`.

The sample documents are ingested into a temporary home, and each of the samples' questions is asked by its own user
in the toolset `default`, as an MCP client asks. Counted are o200k tokens of the text and of the structured answer, and
of the largest answer that can be asked for.
"""

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple

from bpe_openai import Encoding, get_encoding

from bench.machine import this_machine
from bench.report import Figures, Goal, Report
from bench.server import ROOT
from groundwire import wiring
from groundwire.dialects.default.rag_search import DefaultRagSearch
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.toolsets import DEFAULT_TOOLSET
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.limits import DEFAULT_TOP_N, MAX_ANSWER_TOKENS, MAX_EXPAND_TOKENS, MAX_TOP_N
from groundwire.entry.cli.server.demo_setup import prepare_demo
from groundwire.protocol.definitions.content import TextContent
from groundwire.protocol.definitions.tool_context import ToolContext
from groundwire.services.call_context import CallContext

if TYPE_CHECKING:
    from groundwire.wiring.local.services import LocalServices

QUESTIONS: Final = ROOT / "samples" / "questions" / "queries.jsonl"
FRAME: Final = 60
PASSAGE: Final = 20
SOURCE: Final = 15
"""Tokens that an answer may have around its passages: once, for each passage, for each source or further file."""
_CONTEXT: Final = ToolContext("2025-11-25")


class Answer(NamedTuple):
    """One answer in tokens.

    Attributes:
        passages: of the passages alone. text, structured: of the whole answer in either form.
        allowed: by which the text may exceed the passages.
    """

    passages: int
    text: int
    structured: int
    allowed: int

    @property
    def over(self) -> int:
        """Tokens of the text over the passages."""
        return self.text - self.passages


def count(text: str) -> int:
    """Tokens of o200k."""
    return len(_encoding().encode_ordinary(text))


@cache
def _encoding() -> Encoding:
    return get_encoding("o200k_base")


def ask(tool: DefaultRagSearch, caller: Caller, question: str, **arguments: object) -> Answer:
    """The answer to a question, counted."""
    result = tool(CallContext(caller), {"search_phrases": [question], **arguments}, _CONTEXT)
    members: Mapping[str, Sequence[Mapping[str, str]]] = json.loads(json.dumps(dict(result.structured or {})))
    passages, sources = members["passages"], members["sources"]
    others = {name for each in passages for name in each.get("also_in", ())}
    text = "\n".join(each.text for each in result.content if isinstance(each, TextContent))
    return Answer(
        passages=sum(count(each["text"]) for each in passages),
        text=count(text),
        structured=count(json.dumps(members, ensure_ascii=False)),
        allowed=FRAME + PASSAGE * len(passages) + SOURCE * (len(sources) + len(others)),
    )


def caller_of(tenant: str, question: Mapping[str, object], *, top_n: int, expand_tokens: int) -> Caller:
    """The user of a question, as a key that acts for others brings them."""
    tags = question["tags"]
    principal = Principal(tenant, str(question["user"]), frozenset(tags if isinstance(tags, list) else ()))
    scopes = frozenset({Scope.SEARCH})
    return Caller(principal, "bench", KeyKind.ACT_AS, scopes, ALL_COLLECTIONS, top_n, DEFAULT_TOOLSET, expand_tokens)


def measure(services: "LocalServices") -> tuple[list[Answer], list[Answer]]:
    """Every question with the defaults of a key, and again as large as key and call allow."""
    prepare_demo(services)
    tenant = services.tenant_admin.find("demo").tenant
    tool = DefaultRagSearch(services.search, services.source_links.url_for)
    questions = [json.loads(line) for line in QUESTIONS.read_text().splitlines()]
    usual = [
        ask(tool, caller_of(tenant, each, top_n=DEFAULT_TOP_N, expand_tokens=0), str(each["text"]))
        for each in questions
    ]
    large = [
        ask(
            tool,
            caller_of(tenant, each, top_n=MAX_TOP_N, expand_tokens=MAX_EXPAND_TOKENS),
            str(each["text"]),
            max_tokens=MAX_ANSWER_TOKENS,
        )
        for each in questions
    ]
    return [answer for answer in usual if answer.passages], large


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with TemporaryDirectory() as home:
        os.environ["GROUNDWIRE_HOME"] = str(Path(home))
        services = wiring.local_services()
        usual, large = measure(services)
        services.close()
    report(usual, large).show(as_json=options.json)


def report(usual: Sequence[Answer], large: Sequence[Answer]) -> Report:
    """The tables of both rounds."""
    worst = max(usual, key=lambda each: each.over / each.allowed)
    middle = sorted(usual, key=lambda each: each.over / each.allowed)[len(usual) // 2]
    largest = max(max(each.text, each.structured) for each in large)
    budget = f"{FRAME} + {PASSAGE} a passage + {SOURCE} a source"
    return Report(
        title="Tokens of an answer over those of its passages",
        machine=this_machine(),
        setting={"questions": len(usual), "encoding": "o200k", "toolset": DEFAULT_TOOLSET},
        goals=[
            Goal("text over passages, median", float(middle.over), "tokens", budget, float(middle.allowed)),
            Goal("text over passages, worst", float(worst.over), "tokens", budget, float(worst.allowed)),
            Goal("largest possible answer", float(largest), "tokens", "either form", float(MAX_ANSWER_TOKENS)),
        ],
        figures=[
            Figures(
                "Medians, tokens",
                ("", "passages", "text", "structured"),
                [
                    ("defaults of a key", *_medians(usual)),
                    ("20 passages with 2,000 tokens around each", *_medians(large)),
                ],
                digits=0,
            )
        ],
        notes=["The samples' questions, each asked by its own user."],
    )


def _medians(answers: Sequence[Answer]) -> tuple[float, float, float]:
    return (
        median(each.passages for each in answers),
        median(each.text for each in answers),
        median(each.structured for each in answers),
    )


if __name__ == "__main__":
    main()
