"""The package keeps the rules of its structure, and each rule sees what it forbids."""

from collections.abc import Mapping
from pathlib import PurePath

import pytest

from tests.shape import structure
from tests.shape.source import Source, parsed, product
from tests.shape.structure import FEATURES, FRAGMENTS, PackageRule

RULES = [structure.folder_sizes, structure.feature_names, structure.fragments, structure.class_names]

SHORT = "x = 1\n" * (structure.FRAGMENT_LINES - 1)

LAZY = "async def f():\n        from groundwire.a import x"
"""Import for the first call, indented so that it may also be in a class."""


def folder(name: str, count: int) -> dict[str, str]:
    return {f"{name}/m{number}.py": "" for number in range(count)}


BROKEN: list[tuple[PackageRule, Mapping[str, str]]] = [
    (structure.folder_sizes, folder("groundwire", structure.MOST_ENTRIES + 1)),
    (structure.folder_sizes, folder("groundwire", structure.FEWEST_ENTRIES - 1) | {"groundwire/__init__.py": ""}),
    (structure.folder_sizes, folder("groundwire", 3) | folder("groundwire/adapters/local/index", 2)),
    (structure.folder_sizes, folder("groundwire", structure.MOST_ENTRIES) | folder("groundwire/domain", 3)),
    (
        structure.folder_sizes,
        folder("groundwire", 3) | folder("groundwire/dialects/openai", structure.MOST_ENTRIES + 1),
    ),
    (structure.feature_names, {"groundwire/services/arrivals/tasks.py": ""}),
    (structure.feature_names, {"groundwire/services/enquiries/tasks.py": ""}),
    (structure.feature_names, {"groundwire/services/ingestion/batch.py": ""}),
    (structure.feature_names, {"groundwire/entry/cli/place.py": ""}),
    (structure.feature_names, {"groundwire/services/upload_desk.py": ""}),
    (structure.feature_names, {"groundwire/adapters/local/registry/standings.py": ""}),
    (structure.fragments, {"groundwire/a.py": SHORT, "groundwire/b.py": "from groundwire.a import x"}),
    (structure.fragments, {"groundwire/a.py": SHORT, "groundwire/b.py": "import groundwire.a"}),
    (
        structure.fragments,
        {"groundwire/a.py": SHORT, "groundwire/b.py": "if TYPE_CHECKING:\n    from groundwire import a"},
    ),
    (structure.fragments, {"groundwire/a.py": SHORT, "groundwire/__init__.py": "from groundwire.a import x"}),
    (structure.fragments, {"groundwire/a.py": SHORT, "groundwire/b.py": f"from groundwire.a import x\n{LAZY}"}),
    (structure.fragments, {"groundwire/a.py": SHORT, "groundwire/b.py": "class B:\n    from groundwire.a import x"}),
    (
        structure.fragments,
        {
            "groundwire_readers/a.py": SHORT,
            "groundwire_readers/dispatch.py": "from groundwire_readers.a import x",
        },
    ),
    (
        structure.fragments,
        {"groundwire/domain/a.py": SHORT, "groundwire/services/b.py": "from groundwire.domain.a import x"},
    ),
    (
        structure.fragments,
        {
            "groundwire_readers/readers/text/a.py": SHORT,
            "groundwire_readers/readers/text/b.py": "from groundwire_readers.readers.text.a import x",
        },
    ),
    (structure.class_names, {"groundwire/a.py": "class A: ...", "groundwire/b.py": "class A: ..."}),
    (structure.class_names, {"groundwire/a.py": "class _A: ...", "groundwire/b.py": "def f():\n    class _A: ..."}),
]

KEPT: list[tuple[PackageRule, Mapping[str, str]]] = [
    (structure.folder_sizes, folder("groundwire", structure.MOST_ENTRIES) | {"groundwire/__init__.py": ""}),
    (structure.folder_sizes, folder("groundwire", structure.FEWEST_ENTRIES)),
    (
        structure.folder_sizes,
        folder("groundwire", 3) | folder("groundwire/dialects", 3) | folder("groundwire/dialects/a", 1),
    ),
    (structure.feature_names, {"groundwire/services/ingest/ingestion.py": "", "groundwire/adapters/mail/a.py": ""}),
    (structure.feature_names, {"groundwire/domain/text/replacement.py": ""}),
    (structure.fragments, {"groundwire/a.py": SHORT + "y = 2\n", "groundwire/b.py": "from groundwire.a import x"}),
    (structure.fragments, {"groundwire/a.py": SHORT, "groundwire/b.py": "from groundwire.other import a"}),
    (
        structure.fragments,
        {"groundwire/a.py": SHORT} | {f"groundwire/{name}.py": "from groundwire.a import x" for name in "bc"},
    ),
    (
        structure.fragments,
        {"groundwire/adapters/aws/a.py": SHORT, "groundwire/wiring/b.py": "from groundwire.adapters.aws.a import x"},
    ),
    (
        structure.fragments,
        {
            "groundwire_readers/readers/text/a.py": SHORT,
            "groundwire_readers/dispatch.py": "from groundwire_readers.readers.text.a import x",
        },
    ),
    (structure.fragments, {"groundwire/a.py": SHORT, "groundwire/b.py": LAZY}),
    (
        structure.fragments,
        {
            "groundwire/a.py": SHORT,
            "groundwire/b.py": f"if TYPE_CHECKING:\n    from groundwire.a import X\n{LAZY}",
        },
    ),
    (structure.fragments, {"groundwire/a.py": SHORT, "groundwire/b.py": f"class B:\n    {LAZY}"}),
    (structure.fragments, {"groundwire/a/__init__.py": SHORT, "groundwire/b.py": "from groundwire.a import x"}),
    (structure.class_names, {"groundwire/a.py": "class A: ...", "groundwire/b.py": "class _A: ..."}),
]


def package() -> list[Source]:
    """Return the modules of the package, without the functions' `app.py`."""
    return [source for source in product() if source.name.startswith("groundwire/")]


def written(texts: Mapping[str, str]) -> list[Source]:
    return [parsed(name, text) for name, text in texts.items()]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_package_keeps_the_rule(rule: PackageRule) -> None:
    found = list(rule(package()))
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(("rule", "texts"), BROKEN)
def test_the_rule_finds_what_it_forbids(rule: PackageRule, texts: Mapping[str, str]) -> None:
    assert list(rule(written(texts)))


@pytest.mark.parametrize(("rule", "texts"), KEPT)
def test_the_rule_lets_pass_what_it_allows(rule: PackageRule, texts: Mapping[str, str]) -> None:
    assert not list(rule(written(texts)))


def test_every_feature_of_the_table_is_in_two_layers() -> None:
    layers: dict[str, set[str]] = {name: set() for name in FEATURES}
    for source in package():
        _, layer, *parts = PurePath(source.name).with_suffix("").parts
        for name in layers.keys() & set(parts):
            layers[name].add(layer)
    assert not {name for name, found in layers.items() if len(found) < 2}


def test_every_exempt_fragment_is_one_that_the_rule_finds_without_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    exempt = dict(FRAGMENTS)
    monkeypatch.setattr(structure, "FRAGMENTS", {})
    found = {finding.partition(":")[0] for finding in structure.fragments(package())}
    assert not exempt.keys() - found, "no fragments: remove them from the table"
    assert all(exempt.values())
