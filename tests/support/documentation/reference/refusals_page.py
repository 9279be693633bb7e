"""docs/reference/aws-refusals.md: the rules by which tests refuse what AWS refuses and emulators accept."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final

from tests.support.aws.refusals.calls import CALL_RULES
from tests.support.aws.refusals.known import KNOWN_FINDINGS
from tests.support.aws.refusals.left_out import LEFT_OUT
from tests.support.aws.refusals.rule import Rule, Source
from tests.support.aws.refusals.rules import CHANGE_RULES, TEMPLATE_RULES
from tests.support.aws.refusals.rules.search import REGIONS_WITHOUT_GROUPS
from tests.support.aws.refusals.tree.rules import TREE_RULES

_INTRO: Final = """# What AWS refuses

Local emulators accept much that AWS refuses. So the tests refuse it before anything reaches an emulator. This page
lists the rules. A *certain* rule has a source that states it. A *disputed* rule has sources that disagree, or reports
alone. The project keeps every rule, the disputed ones too, so it works whichever source is right.
[Sources](#sources) has the day on which somebody compared a rule with its source.

Every request to the emulator of AWS passes a door. The door refuses a stack, a change set and an update before the
emulator makes anything. It reads their parameters and the unpacked sizes of their artifacts. It refuses calls of
functions, tables, buckets, queues, log groups and secrets with the code that AWS answers. The functions of the stack
run on a kernel that refuses filters of system calls and has no Landlock, as Lambda's. One test gives the stack a vector
collection that refuses chosen ids, behind a gate that judges each bulk.

To list what AWS refuses of a checkout, run this in its folder:

```sh
python -m tests.support.aws.refusals
```

`--commit COMMIT` looks at a commit instead, and `NAME=VALUE` sets a parameter of the template. The command needs the
development environment of [CONTRIBUTING](../../CONTRIBUTING.md).
"""
_SECTIONS: Final[tuple[tuple[str, str, Iterable[Rule[Any]]], ...]] = (
    ("Templates", "These rules look at the template with its parameters, for a new account.", TEMPLATE_RULES),
    ("Updates", "These rules compare the template of a stack with the next one.", CHANGE_RULES),
    ("Calls", "These rules look at single calls to services and functions.", CALL_RULES),
    ("Code", "These rules run the code of the functions against a service that refuses.", TREE_RULES),
)


def refusals_page() -> str:
    """Return the page."""
    sections = ("\n".join(_section(title, text, rules)) for title, text, rules in _SECTIONS)
    ends = ("\n".join(lines) for lines in (_regions(), _known(), _doubts(), _left_out(), _sources()))
    return "\n\n".join((_INTRO.strip(), *sections, *ends)) + "\n"


def _section(title: str, text: str, rules: Iterable[Rule[Any]]) -> Iterator[str]:
    yield f"## {title}\n"
    yield f"{text}\n"
    yield "| rule | AWS refuses | certainty |"
    yield "|---|---|---|"
    yield from (f"| `{rule.id}` | {rule.refuses} | {rule.certainty} |" for rule in rules)
    yield "\n| rule | figure |"
    yield "|---|---|"
    yield from (f"| `{rule.id}` | {rule.figure} |" for rule in rules)


def _regions() -> Iterator[str]:
    yield "## Regions without groups of collections\n"
    yield from (f"* {region}" for region in sorted(REGIONS_WITHOUT_GROUPS))


def _known() -> Iterator[str]:
    yield "## Known findings\n"
    yield "The current code breaks these rules. Every other finding fails a test.\n"
    yield from (f"* `{rule}`: {reason}" for rule, reason in KNOWN_FINDINGS.items())


def _doubts() -> Iterator[str]:
    yield "## Why rules are disputed\n"
    yield from (f"* `{rule.id}`: {rule.doubt}" for rule in _all_rules() if rule.doubt)


def _left_out() -> Iterator[str]:
    yield "## Quotas without a rule\n"
    yield "Somebody looked at these quotas of AWS, too. No rule states them, each for a reason.\n"
    yield from (f"* {quota}. {reason}" for quota, reason in LEFT_OUT.items())


def _sources() -> Iterator[str]:
    yield "## Sources\n"
    by_source: defaultdict[Source, list[str]] = defaultdict(list)
    for rule in _all_rules():
        by_source[rule.source].append(f"`{rule.id}`")
    for source, rules in sorted(by_source.items(), key=lambda item: item[0].title):
        yield f"* {source.title} ({source.looked_up}): {', '.join(rules)}"


def _all_rules() -> list[Rule[Any]]:
    return [rule for _, _, rules in _SECTIONS for rule in rules]
