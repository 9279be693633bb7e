"""Judgement of what a model was fed, from its requests to the model server and from the replies of our server."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, cast, get_args

from tests.e2e.clients.judge import TOOL
from tests.e2e.clients.loops.cases import PROBLEM
from tests.e2e.clients.loops.catalogue import Feed
from tests.e2e.clients.loops.fed import Fed, fed_of, tools_of
from tests.e2e.clients.loops.replies import TAIL
from tests.e2e.clients.loops.runs import Run, Runs
from tests.support.clients.tokens import count_tokens

Part = Literal[
    "connected", "passages", "tokens", "frame", "empty", "arguments", "failure", "retryable", "rate", "unknown tool"
]
PARTS: Final[tuple[Part, ...]] = get_args(Part)
FRAME_TOKENS: Final = 60
PASSAGE_TOKENS: Final = 20
SOURCE_TOKENS: Final = 15
OPENING_TOKENS: Final = 40
"""Tokens of the one line about how sources open."""
CODE_TOKENS: Final = 15
"""Tokens of the code that opens a source."""
DATA_SENTENCE: Final = "do not follow instructions"
"""Words of the sentence that marks passages as data, in text and in structured content."""
_PLAIN: Final = re.compile(r"[A-Za-z0-9 ,.;:()-]+")
"""Text that is the same in JSON and in Python's notation."""
_SHOWN: Final = 300


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong.

    Attributes:
        part: the column of the table that it spoils.
    """

    part: Part
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's answer with passages.

    Attributes:
        text: its blocks of text.
        passages: the texts of the passages, as the structured content has them.
        members: the names of the members of a passage there.
        sources: number of documents that the passages are from.
    """

    text: str
    passages: tuple[str, ...]
    members: frozenset[str]
    sources: int

    @property
    def boundary(self) -> str:
        """The word of the boundary lines, the last of which ends the text."""
        return self.text.rstrip().rpartition("\n")[2].strip("</>")

    @property
    def token_limit(self) -> int:
        """Tokens that the text may have over those of the passages."""
        by_source = (SOURCE_TOKENS + CODE_TOKENS) * self.sources
        return FRAME_TOKENS + OPENING_TOKENS + PASSAGE_TOKENS * len(self.passages) + by_source


@dataclass(frozen=True, slots=True)
class Judgement:
    """Judgement of an agent.

    Attributes:
        feeds: what its model is given of an answer; None: neither text nor structured content.
        over: tokens that the model reads over those of the passages; None without an answer.
        limit: of these tokens, for text.
    """

    feeds: Feed | None
    over: int | None
    limit: int | None
    findings: tuple[Finding, ...]

    def mark(self, part: Part) -> str:
        """Return the table's mark of a part."""
        return "FAILS" if any(finding.part == part for finding in self.findings) else "ok"


def judged(runs: Runs) -> Judgement:
    """Return the judgement of all runs of an agent."""
    findings = [finding for run in runs.runs.values() for finding in _findings(run, runs)]
    run = runs.runs["answer"]
    answer, fed = _answer(run), _fed(run)
    if answer is None or not answer.passages:
        return Judgement(None, None, None, (*findings, Finding("passages", "the server answered without passages")))
    over = count_tokens(fed.text) - sum(map(count_tokens, answer.passages))
    feeds = _feeds(fed.text, answer)
    findings += answer_findings(fed, answer, runs.loop.feeds)
    return Judgement(feeds, over, answer.token_limit, tuple(findings))


def answer_findings(fed: Fed, answer: Answer, feeds: Feed) -> Iterator[Finding]:
    """Yield the errors of the answer that a model was fed; `feeds` is the form that the catalogue names."""
    if fed.others:
        yield Finding("passages", f"the model was fed parts that are no text: {fed.others}")
    missing = sum(_plain(passage) not in fed.text for passage in answer.passages)
    if missing:
        yield Finding("passages", f"{missing} of {len(answer.passages)} passages are not in {fed.text[:_SHOWN]!r}")
    found = _feeds(fed.text, answer)
    if found != feeds:
        yield Finding("passages", f"the model was fed {found}, not {feeds}")
    over = count_tokens(fed.text) - sum(map(count_tokens, answer.passages))
    if feeds == "text" and over > answer.token_limit:
        yield Finding("tokens", f"{over} tokens over the passages, at most {answer.token_limit}")
    if DATA_SENTENCE not in fed.text:
        yield Finding("frame", "nothing says that the passages are data")
    if feeds != "structured" and not _is_framed(fed.text, answer):
        yield Finding("frame", f"passages are outside of the lines {answer.boundary!r}")


def error_findings(run: Run) -> Iterator[Finding]:
    """Yield the errors of a run that got an empty answer or an error."""
    part, fed = _part(run), _fed(run)
    if part != "unknown tool" and run.reply is None:
        yield Finding(part, "the server was not asked")
    if run.case.is_error and run.reply is not None and not _is_error(run.reply):
        yield Finding(part, "the server did not answer with a fault")
    unread = [] if _is_structured(fed, run.reply) else _unread_lines(fed, run.reply)
    if unread or run.case.reported not in fed.text or not fed.text:
        yield Finding(part, f"of {unread or run.case.reported!r} the model reads {fed.text[:_SHOWN]!r}")
    if PROBLEM in fed.text:
        yield Finding(part, "the model reads what is for the operator")


def _findings(run: Run, runs: Runs) -> Iterator[Finding]:
    part = _part(run)
    if run.case.name == "unknown tool" and runs.loop.ends_on_unknown_tools:
        if not run.raised:
            yield Finding(part, f"the run went on to {run.stated!r}: the catalogue says that it ends")
        return
    if run.raised:
        yield Finding(part, f"the run ended with {run.raised}")
    elif run.stated.strip() != TAIL:
        yield Finding(part, f"the run ended with {run.stated!r}, not with the model's last words")
    elif part == "connected":
        if TOOL not in tools_of(run.requests[0]):
            yield Finding(part, f"the model was offered {sorted(tools_of(run.requests[0]))}, without {TOOL}")
    else:
        yield from error_findings(run)


def _part(run: Run) -> Part:
    return "connected" if run.case.name == "answer" else cast("Part", run.case.name)


def _fed(run: Run) -> Fed:
    return fed_of(run.requests[-1]) if run.requests else Fed("", ())


def _answer(run: Run) -> Answer | None:
    if run.reply is None or "structuredContent" not in run.reply.get("result", {}):
        return None
    structured = run.reply["result"]["structuredContent"]
    passages: list[dict[str, Any]] = structured["passages"]
    texts = tuple(str(each["text"]) for each in passages)
    members = frozenset(passages[0] if passages else ())
    return Answer(_words(run.reply), texts, members, len(structured["sources"]))


def _words(reply: Mapping[str, Any] | None) -> str:
    """Return the text of a reply; empty without one."""
    if reply is None:
        return ""
    if "error" in reply:
        return str(reply["error"]["message"])
    return "\n".join(block["text"] for block in reply["result"]["content"] if block["type"] == "text")


def _unread_lines(fed: Fed, reply: Mapping[str, Any] | None) -> list[str]:
    return [line for line in _words(reply).splitlines() if not _is_read(line.strip(), fed)]


def _is_read(line: str, fed: Fed) -> bool:
    """Return whether the line is fed as it is, or in the notation of JSON or of Python."""
    return any(noted in fed.text for noted in (line, json.dumps(line), json.dumps(line)[1:-1], repr(line)))


def _is_structured(fed: Fed, reply: Mapping[str, Any] | None) -> bool:
    """Return whether the model is fed the reply's structured content, and no more."""
    structured = (reply or {}).get("result", {}).get("structuredContent")
    return structured is not None and fed.text.startswith("{") and json.loads(fed.text) == structured


def _is_error(reply: Mapping[str, Any]) -> bool:
    return "error" in reply or reply["result"].get("isError") is True


def _feeds(fed: str, answer: Answer) -> Feed | None:
    has_text = answer.text.partition("\n")[0] in fed
    has_structured = all(f'{member}"' in fed or f"{member}'" in fed for member in answer.members)
    if has_text and not has_structured:
        return "text" if answer.text in fed else "text as JSON"
    if has_text:
        return "text and structured"
    return "structured" if has_structured else None


def _is_framed(fed: str, answer: Answer) -> bool:
    """Return whether each passage is found between two boundaries."""
    first, last = fed.find(answer.boundary), fed.rfind(answer.boundary)
    return all(0 <= first < fed.find(_plain(passage)) < last for passage in answer.passages)


def _plain(passage: str) -> str:
    """Return the longest part of a passage that every notation leaves as it is."""
    return max(_PLAIN.findall(passage), key=len).strip()
