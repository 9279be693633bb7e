"""Every module of the product keeps the house rules, and each rule sees what it forbids."""

import pytest

from tests.shape import rules
from tests.shape.rules import Rule
from tests.shape.source import parsed, product

RULES = [
    rules.short_modules,
    rules.short_functions,
    rules.docstrings,
    rules.annotations,
    rules.narrow_excepts,
    rules.telling_names,
    rules.no_printing,
    rules.settings_decide,
]

BROKEN = [
    (rules.short_modules, "groundwire/a.py", "x = 1\n" * (rules.MOST_MODULE_LINES + 1)),
    (rules.short_functions, "groundwire/a.py", "def f() -> None:\n" + "    g()\n" * rules.MOST_FUNCTION_LINES),
    (rules.docstrings, "groundwire/a.py", "x = 1"),
    (rules.docstrings, "groundwire/a.py", '"""A."""\nclass A:\n    x = 1'),
    (rules.docstrings, "groundwire/a.py", '"""A."""\nclass A:\n    """A."""\n    def f(self) -> None: ...'),
    (rules.docstrings, "groundwire/a.py", '"""A."""\nif x:\n    async def f() -> None: ...'),
    (rules.annotations, "groundwire/a.py", "def f(x, /) -> None: ..."),
    (rules.annotations, "groundwire/a.py", "def f(*x) -> None: ..."),
    (rules.annotations, "groundwire/a.py", "def f(*, x) -> None: ..."),
    (rules.annotations, "groundwire/a.py", "class A:\n    def __init__(self): ..."),
    (rules.annotations, "groundwire/a.py", "def f() -> None:\n    def g(x) -> None: ..."),
    (rules.narrow_excepts, "groundwire/services/a.py", "try:\n    f()\nexcept:\n    pass"),
    (rules.narrow_excepts, "groundwire/services/a.py", "try:\n    f()\nexcept (KeyError, Exception):\n    pass"),
    (rules.narrow_excepts, "groundwire/services/a.py", "try:\n    f()\nexcept Exception as e:\n    raise X from e"),
    (rules.narrow_excepts, "groundwire/services/a.py", "with contextlib.suppress(Exception):\n    f()"),
    (rules.telling_names, "groundwire/services/utils.py", ""),
    (rules.telling_names, "groundwire/common/keys.py", ""),
    (rules.telling_names, "groundwire/adapters/_base.py", ""),
    (rules.no_printing, "groundwire/services/a.py", "print(1)"),
    (rules.settings_decide, "groundwire/services/a.py", "import os\nx = os.environ['X']"),
    (rules.settings_decide, "groundwire/services/a.py", "import os\nx = os.getenv('X')"),
    (rules.settings_decide, "groundwire/services/a.py", "from os import environ"),
]

KEPT = [
    (rules.short_functions, "groundwire/a.py", "def f() -> None:\n" + "    g()\n" * (rules.MOST_FUNCTION_LINES - 1)),
    (rules.docstrings, "groundwire/a.py", '"""A."""\nclass _A:\n    def f(self) -> None: ...'),
    (rules.annotations, "groundwire/a.py", "class A:\n    def f(self, x: int, *y: int, **z: int) -> None: ..."),
    (rules.narrow_excepts, "groundwire/services/a.py", "try:\n    f()\nexcept BaseException:\n    g()\n    raise"),
    (rules.narrow_excepts, "groundwire/entry/a.py", "try:\n    f()\nexcept Exception:\n    pass"),
    (rules.settings_decide, "groundwire/entry/a.py", "import os\nx = os.environ['X']"),
]


def told(rule: Rule) -> str:
    return rule.__name__


@pytest.mark.parametrize("rule", RULES, ids=told)
def test_the_product_keeps_the_rule(rule: Rule) -> None:
    assert len(product()) > len(RULES)
    found = [finding for source in product() for finding in rule(source)]
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(("rule", "name", "text"), BROKEN)
def test_the_rule_sees_what_it_forbids(rule: Rule, name: str, text: str) -> None:
    assert list(rule(parsed(name, text)))


@pytest.mark.parametrize(("rule", "name", "text"), KEPT)
def test_the_rule_lets_pass_what_it_allows(rule: Rule, name: str, text: str) -> None:
    assert not list(rule(parsed(name, text)))
