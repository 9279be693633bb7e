"""Tokens of answers over those of their passages: `python -m bench.answer_tokens [--json]`.

The sample documents are ingested into a temporary home, and each of the samples' questions is asked by its own user
in the toolset `default`, as an MCP client asks. Counted are o200k tokens of the text and of the structured answer, and
of the largest answer that can be asked for, also where the passages hold emoji, signs and scripts of few readers. The
share of cut headings is that of the answers with a key's defaults.
"""

import argparse
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
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
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import DEFAULT_TOP_N, MAX_ANSWER_TOKENS, MAX_EXPAND_TOKENS, MAX_TOP_N
from groundwire.domain.search.request import SearchRequest
from groundwire.entry.cli.server.demo_setup import prepare_demo
from groundwire.services.call_context import CallContext
from groundwire.services.search import SearchResult
from groundwire_mcp.definitions.content import TextContent
from groundwire_mcp.definitions.tool_context import ToolContext

if TYPE_CHECKING:
    from groundwire.wiring.local.services import LocalServices

QUESTIONS: Final = ROOT / "samples" / "questions" / "queries.jsonl"
FRAME: Final = 60
PASSAGE: Final = 20
SOURCE: Final = 15
"""Tokens that an answer may have around its passages: once, for each passage, for each source or further file."""
HARD_TEXTS: Final = {
    "emoji": "👩🏽‍🔬🦘🧬🎉🚀🇩🇪❤️‍🔥 ",
    "mathematics": "∀x∈ℝ: ∫₀^∞ e^{−x²}dx = √π⁄2 ⊗ ∇×B ⇒ ⟨ψ|φ⟩ ",
    "Amharic": "ጥቅም ላይ ያልዋሉ የእረፍት ቀናት በሚቀጥለው ዓመት መጋቢት መጨረሻ ላይ ያበቃሉ። ",
    "Burmese": "အသုံးမပြုသော ခွင့်ရက်များသည် နောက်နှစ် မတ်လကုန်တွင် ကုန်ဆုံးသည်။ ",
    "Cherokee": "ᎠᏂᏴᏫᏯ ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ ",
    "base64": "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
}
"""Texts with many tokens a character."""
_HARD_CHARACTERS: Final = 2_000
_CUT_HEAD: Final = re.compile(r"^\[\d+\] [0-9a-f]{6}\.[0-9a-f]{6}\b.*…$", re.MULTILINE)
_CONTEXT: Final = ToolContext("2025-11-25")


class Answer(NamedTuple):
    """One answer in tokens.

    Attributes:
        passages: of the passages alone. text, structured: of the whole answer in either form.
        allowed: by which the text may exceed the passages.
        heads, cut_heads: number of passages, and of those whose heading is cut.
    """

    passages: int
    text: int
    structured: int
    allowed: int
    heads: int
    cut_heads: int

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
        heads=len(passages),
        cut_heads=len(_CUT_HEAD.findall(text)),
    )


def caller_of(tenant: str, question: Mapping[str, object], *, top_n: int, expand_tokens: int) -> Caller:
    """Return the caller of a question: a user for whom a key acts."""
    tags = question["tags"]
    principal = Principal(tenant, str(question["user"]), frozenset(tags if isinstance(tags, list) else ()))
    scopes = frozenset({Scope.SEARCH})
    options = replace(USUAL_OPTIONS, top_n=top_n, expand_tokens=expand_tokens)
    return Caller(principal, "bench", KeyKind.ACT_AS, scopes, ALL_COLLECTIONS, options)


def hard_tool(services: "LocalServices", text: str) -> DefaultRagSearch:
    """The tool over the usual search, whose passages have this text in place of their own."""
    long_text = (text * _HARD_CHARACTERS)[:_HARD_CHARACTERS]

    def search(caller: Caller, request: SearchRequest) -> SearchResult:
        found = services.reading.search(caller, request)
        passages = [
            replace(each, segment=replace(each.segment, text=long_text, token_sums=b""), context=())
            for each in found.passages
        ]
        return replace(found, passages=passages)

    reading = services.reading
    return DefaultRagSearch(search, reading.source_links.cite, reading.opening_note, reading.unreadable_names)


def measure(services: "LocalServices") -> tuple[list[Answer], list[Answer], list[Answer]]:
    """Every question with the defaults of a key, again as large as key and call allow, and so in hard scripts."""
    prepare_demo(services)
    tenant = services.administration.tenant_admin.find("demo").tenant
    reading = services.reading
    tool = DefaultRagSearch(reading.search, reading.source_links.cite, reading.opening_note, reading.unreadable_names)
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
    widest = caller_of(tenant, questions[0], top_n=MAX_TOP_N, expand_tokens=0)
    hard = [
        ask(hard_tool(services, text), widest, str(questions[0]["text"]), max_tokens=MAX_ANSWER_TOKENS)
        for text in HARD_TEXTS.values()
    ]
    return [answer for answer in usual if answer.passages], large, hard


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with TemporaryDirectory() as home:
        os.environ["GROUNDWIRE_HOME"] = str(Path(home))
        services = wiring.local_services()
        usual, large, hard = measure(services)
        services.close()
    report(usual, large, hard).show(as_json=options.json)


def report(usual: Sequence[Answer], large: Sequence[Answer], hard: Sequence[Answer]) -> Report:
    """Return the report with the tables of all measurements."""
    worst = max(usual, key=lambda each: each.over / each.allowed)
    middle = sorted(usual, key=lambda each: each.over / each.allowed)[len(usual) // 2]
    largest, hardest = (max(max(each.text, each.structured) for each in answers) for answers in (large, hard))
    cut = 100 * sum(each.cut_heads for each in usual) / sum(each.heads for each in usual)
    budget = f"{FRAME} + {PASSAGE} a passage + {SOURCE} a source"
    return Report(
        title="Tokens of an answer over those of its passages",
        machine=this_machine(),
        setting={"questions": len(usual), "encoding": "o200k", "toolset": DEFAULT_TOOLSET},
        goals=[
            Goal("text over passages, median", float(middle.over), "tokens", budget, float(middle.allowed)),
            Goal("text over passages, worst", float(worst.over), "tokens", budget, float(worst.allowed)),
            Goal("largest possible answer", float(largest), "tokens", "either form", float(MAX_ANSWER_TOKENS)),
            Goal("the same in hard scripts", float(hardest), "tokens", "either form", float(MAX_ANSWER_TOKENS)),
            Goal("heads with a cut heading", cut, "%", "of all heads", 5.0),
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
