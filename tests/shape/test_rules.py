"""Every module of the product keeps the house rules, and each rule sees what it forbids."""

import re

import pytest

from tests.shape import rules, vocabulary
from tests.shape.rules import Rule
from tests.shape.source import COMMANDS, parsed, product

RULES = [
    rules.short_modules,
    rules.short_functions,
    rules.docstrings,
    rules.docstring_openings,
    rules.docstring_idioms,
    rules.annotations,
    rules.narrow_excepts,
    rules.specific_names,
    rules.no_printing,
    rules.settings_decide,
    vocabulary.retired_identifiers,
    vocabulary.retired_first_lines,
]

BROKEN = [
    (rules.short_modules, "groundwire/a.py", "x = 1\n" * (rules.MOST_MODULE_LINES + 1)),
    (rules.short_functions, "groundwire/a.py", "def f() -> None:\n" + "    g()\n" * rules.MOST_FUNCTION_LINES),
    (rules.docstrings, "groundwire/a.py", "x = 1"),
    (rules.docstrings, "groundwire/a.py", '"""A."""\nclass A:\n    x = 1'),
    (rules.docstrings, "groundwire/a.py", '"""A."""\nclass A:\n    """A."""\n    def f(self) -> None: ...'),
    (rules.docstrings, "groundwire/a.py", '"""A."""\nif x:\n    async def f() -> None: ...'),
    (rules.docstring_openings, "groundwire/a.py", '"""What the module holds."""'),
    (rules.docstring_openings, "groundwire/a.py", 'class _A:\n    """Of a collection."""'),
    (rules.docstring_openings, "groundwire/a.py", 'def _f() -> None:\n    """Raises NotFound."""'),
    (rules.docstring_openings, "groundwire/a.py", 'async def f() -> None:\n    """Whether it is there."""'),
    (rules.docstring_openings, "groundwire/a.py", '@cached_property\ndef f() -> A:\n    """What is kept."""'),
    (rules.docstring_openings, "groundwire/a.py", 'A: Final = 1\n"""How many there are."""'),
    (rules.docstring_openings, "groundwire/entry/rest/routes/a.py", '"""What keys are."""\nclass A: ...'),
    (rules.docstring_idioms, "groundwire/a.py", 'def f() -> None:\n    """Return the year; None: it has no year."""'),
    (rules.docstring_idioms, "groundwire/a.py", 'def f() -> None:\n    """Return the year; None if there is none."""'),
    (rules.docstring_idioms, "groundwire/a.py", 'class _Year:\n    """Year of a text."""'),
    (rules.docstring_idioms, "groundwire/a.py", 'class FiscalYear:\n    """The fiscal year of a company."""'),
    (rules.docstring_idioms, "groundwire/a.py", '"""A year of a text.\n\nIt takes\na\ntenth of it."""'),
    (rules.annotations, "groundwire/a.py", "def f(x, /) -> None: ..."),
    (rules.annotations, "groundwire/a.py", "def f(*x) -> None: ..."),
    (rules.annotations, "groundwire/a.py", "def f(*, x) -> None: ..."),
    (rules.annotations, "groundwire/a.py", "class A:\n    def __init__(self): ..."),
    (rules.annotations, "groundwire/a.py", "def f() -> None:\n    def g(x) -> None: ..."),
    (rules.narrow_excepts, "groundwire/services/a.py", "try:\n    f()\nexcept:\n    pass"),
    (rules.narrow_excepts, "groundwire/services/a.py", "try:\n    f()\nexcept (KeyError, Exception):\n    pass"),
    (rules.narrow_excepts, "groundwire/services/a.py", "try:\n    f()\nexcept Exception as e:\n    raise X from e"),
    (rules.narrow_excepts, "groundwire/services/a.py", "with contextlib.suppress(Exception):\n    f()"),
    (
        rules.narrow_excepts,
        "groundwire/entry/a.py",
        "def handler():\n    try:\n        f()\n    except Exception: pass",
    ),
    (rules.narrow_excepts, "groundwire/entry/authorizer.py", "try:\n    f()\nexcept Exception:\n    pass"),
    (rules.narrow_excepts, "groundwire/entry/authorizer.py", "with suppress(Exception):\n    f()"),
    (
        rules.narrow_excepts,
        "groundwire/entry/authorizer.py",
        "def handler():\n    def g():\n        try:\n            f()\n        except Exception: pass",
    ),
    (rules.specific_names, "groundwire/services/utils.py", ""),
    (rules.specific_names, "groundwire/common/keys.py", ""),
    (rules.specific_names, "groundwire/adapters/_base.py", ""),
    (rules.no_printing, "groundwire/services/a.py", "print(1)"),
    (rules.settings_decide, "groundwire/services/a.py", "import os\nx = os.environ['X']"),
    (rules.settings_decide, "groundwire/services/a.py", "import os\nx = os.getenv('X')"),
    (rules.settings_decide, "groundwire/services/a.py", "from os import environ"),
    (vocabulary.retired_identifiers, "groundwire/services/arrivals/a.py", ""),
    (vocabulary.retired_identifiers, "groundwire/services/upload_desk.py", ""),
    (vocabulary.retired_identifiers, "groundwire/a.py", "class KeyCare: ..."),
    (vocabulary.retired_identifiers, "groundwire/a.py", "class _HTTPFault(Exception): ..."),
    (vocabulary.retired_identifiers, "groundwire/a.py", "class A:\n    begun_at: int"),
    (vocabulary.retired_identifiers, "groundwire/a.py", "def f(told: int) -> None: ..."),
    (vocabulary.retired_identifiers, "groundwire/a.py", "def give_back() -> None: ..."),
    (vocabulary.retired_identifiers, "groundwire/a.py", "x = [said for said in y]"),
    (vocabulary.retired_identifiers, "groundwire/a.py", "x.standing = 1"),
    (vocabulary.retired_identifiers, "groundwire/a.py", "try:\n    f()\nexcept KeyError as trouble:\n    g(trouble)"),
    (vocabulary.retired_identifiers, "groundwire/a.py", "from a import b as shelf"),
    (vocabulary.retired_identifiers, "groundwire/a.py", "match x:\n    case [told, *late]: ..."),
    (vocabulary.retired_first_lines, "groundwire/a.py", '"""Files that stand beside the index."""'),
    (vocabulary.retired_first_lines, "groundwire/a.py", 'def _f() -> None:\n    """Set the policy by hand."""'),
]

KEPT = [
    (rules.short_functions, "groundwire/a.py", "def f() -> None:\n" + "    g()\n" * (rules.MOST_FUNCTION_LINES - 1)),
    (rules.docstrings, "groundwire/a.py", '"""A."""\nclass _A:\n    def f(self) -> None: ...'),
    (rules.docstring_openings, "groundwire/a.py", 'def f() -> bool:\n    """Return whether it is there."""'),
    (rules.docstring_openings, "groundwire/a.py", 'def f() -> bool:\n    """Offset of the row.\n\n    As stored."""'),
    (rules.docstring_openings, "groundwire/entry/rest/routes/a.py", 'class A(RequestModel):\n    """What is asked."""'),
    (
        rules.docstring_openings,
        "groundwire/entry/rest/routes/a.py",
        '@router.get("/v1/a")\ndef f() -> A:\n    """Every key of the tenant."""',
    ),
    (
        rules.docstring_openings,
        "groundwire/entry/cli/commands/a.py",
        '@app.command()\ndef f() -> A:\n    """What is."""',
    ),
    (
        rules.docstring_idioms,
        "groundwire/a.py",
        'def f() -> None:\n    """Return the year; None if the text has no year."""',
    ),
    (rules.docstring_idioms, "groundwire/a.py", 'class Year:\n    """Calendar year of a text."""'),
    (rules.docstring_idioms, "groundwire/a.py", '"""Quotation of a text.\n\n=482901377\nits text\n…\nanother."""'),
    (rules.annotations, "groundwire/a.py", "class A:\n    def f(self, x: int, *y: int, **z: int) -> None: ..."),
    (rules.narrow_excepts, "groundwire/services/a.py", "try:\n    f()\nexcept BaseException:\n    g()\n    raise"),
    (
        rules.narrow_excepts,
        "groundwire/entry/authorizer.py",
        "def handler():\n    try:\n        f()\n    except Exception: pass",
    ),
    (rules.settings_decide, "groundwire/entry/a.py", "import os\nx = os.environ['X']"),
    (vocabulary.retired_identifiers, "groundwire/a.py", "understand = standard = carefully = newsletter = 1"),
    (vocabulary.retired_identifiers, "groundwire/a.py", "x = 'told'\ny = x.told"),
    (vocabulary.retired_identifiers, "groundwire/entry/rest/schema.py", "class Fault(ResponseModel):\n    told: int"),
    (vocabulary.retired_first_lines, "groundwire/a.py", '"""The attribute `standing`.\n\n    It is told."""'),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_product_keeps_the_rule(rule: Rule) -> None:
    assert len(product()) > len(RULES)
    found = [finding for source in product() for finding in rule(source)]
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(("rule", "name", "text"), BROKEN)
def test_the_rule_finds_what_it_forbids(rule: Rule, name: str, text: str) -> None:
    assert list(rule(parsed(name, text)))


@pytest.mark.parametrize(("rule", "name", "text"), KEPT)
def test_the_rule_lets_pass_what_it_allows(rule: Rule, name: str, text: str) -> None:
    assert not list(rule(parsed(name, text)))


def test_every_listed_handler_of_all_exceptions_is_in_the_code_and_has_a_reason() -> None:
    found = {place for source in product() for place, _ in rules.broad_excepts(source)}
    assert found == rules.BROAD_EXCEPTS.keys()
    assert all(rules.BROAD_EXCEPTS.values())


def test_an_exception_to_the_vocabulary_names_a_retired_word() -> None:
    for name, where in vocabulary.STORED_OR_ON_THE_WIRE.items():
        assert where, name
        assert vocabulary.retired_words(name), f"{name} holds no retired word: remove it from the table"


def test_an_exception_to_the_vocabulary_is_in_use() -> None:
    given = {name for source in product() for name, _ in vocabulary.identifiers(source)}
    assert given >= vocabulary.STORED_OR_ON_THE_WIRE.keys()


def test_every_command_of_the_table_is_registered() -> None:
    [main] = [source for source in product() if source.name == "groundwire/entry/cli/main.py"]
    registered = re.findall(r"app\.command\([^)]*\)\((?:\w+\.)?(\w+)\)", main.text)
    assert set(registered) == {name for names in COMMANDS.values() for name in names}
