"""The product's modules as syntax trees."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
LAYERS = ROOT / "layers"
TOOLS = ROOT / "tools"
FUNCTIONS = ROOT / "functions"
_REST_MODELS = ("groundwire/entry/rest/routes/", "groundwire/entry/rest/schema.py")
_REGISTERED_BY = {"app.command", "app.callback", "router.get", "router.put", "router.post", "router.delete"}
COMMANDS = {
    "groundwire/entry/cli/commands/doctor/command.py": {"doctor"},
    "groundwire/entry/cli/sample_events/invoke.py": {"invoke_event"},
    "groundwire/entry/cli/sample_events/stack_variables.py": {"env"},
    "groundwire/entry/cli/commands/events.py": {"events"},
    "groundwire/entry/cli/commands/reindex.py": {"reindex"},
    "groundwire/entry/cli/commands/storage/command.py": {"backup", "compact"},
    "groundwire/entry/cli/commands/storage/replay.py": {"replay_deletions"},
    "groundwire/entry/cli/commands/storage/restore.py": {"restore"},
    "groundwire/entry/cli/commands/tenants.py": {"rebuild"},
    "groundwire/entry/cli/evaluate/command.py": {"evaluate"},
    "groundwire/entry/cli/ingest/command.py": {"ingest"},
    "groundwire/entry/cli/ingest/required_tags.py": {"prove"},
    "groundwire/entry/cli/keys/apply.py": {"apply"},
    "groundwire/entry/cli/search/command.py": {"search"},
    "groundwire/entry/cli/search/replay.py": {"replay"},
    "groundwire/entry/cli/server/commands.py": {"demo", "serve"},
    "groundwire/entry/cli/server/connect.py": {"connect"},
    "groundwire/entry/cli/server/page_address.py": {"console"},
}
"""Commands that `entry/cli/main.py` registers; those of a group are registered by a decorator."""

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef
Definition = AnyFunction | ast.ClassDef


@dataclass(frozen=True)
class Source:
    """A module; `name` is its path below the folder that is on the path of imports."""

    name: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree, parsed when a rule asks for it: each process collects all tests, and few run rules."""
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the tree, which many rules go through."""
        return tuple(ast.walk(self.tree))

    def at(self, node: ast.stmt | ast.expr | ast.excepthandler) -> str:
        """Return the position of a finding in the form that terminals and editors open."""
        return f"{self.name}:{node.lineno}"


def parsed(name: str, text: str) -> Source:
    return Source(name, text)


def paths() -> list[Path]:
    folders = [*LAYERS.glob("*/groundwire*/"), *TOOLS.glob("*/groundwire*/")]
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


def name_of(path: Path) -> str:
    """Return the path below the folder that is on the path of imports."""
    return str(Path(*path.relative_to(ROOT).parts[2:]))


@cache
def product() -> list[Source]:
    package = [parsed(name_of(path), path.read_text()) for path in paths()]
    functions = [parsed(str(path.relative_to(ROOT)), path.read_text()) for path in sorted(FUNCTIONS.rglob("*.py"))]
    return package + functions


def functions(source: Source) -> Iterator[AnyFunction]:
    """Yield all functions, methods and nested ones included."""
    for node in source.nodes:
        if isinstance(node, AnyFunction):
            yield node


def docstrings_of(source: Source) -> Iterator[tuple[str, int, str]]:
    """Yield name, line and text of each docstring that readers of the code alone see, private definitions included.

    Left out are texts that users see: of REST models and routes (OpenAPI) and of commands (`--help`).
    """
    for node in source.nodes:
        if isinstance(node, ast.Module | Definition) and not _is_shown_to_users(source, node):
            text = ast.get_docstring(node)
            if text is not None:
                name, line = ("the module", 1) if isinstance(node, ast.Module) else (f"`{node.name}`", node.lineno)
                yield name, line, text
            if isinstance(node, ast.Module | ast.ClassDef):
                yield from _attribute_docstrings(node)


def _attribute_docstrings(owner: ast.Module | ast.ClassDef) -> Iterator[tuple[str, int, str]]:
    """Yield the texts that follow an assignment directly: the documentation of constants and fields."""
    for assigned, node in pairwise(owner.body):
        if isinstance(assigned, ast.Assign | ast.AnnAssign):
            match node:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    target = assigned.target if isinstance(assigned, ast.AnnAssign) else assigned.targets[0]
                    yield f"`{ast.unparse(target)}`", node.lineno, text
                case _:
                    pass


def is_rest_model(source: Source, node: ast.AST) -> bool:
    """Return whether the node is a model of the REST API, whose name and fields are in the OpenAPI document."""
    return isinstance(node, ast.ClassDef) and source.name.startswith(_REST_MODELS)


def _is_shown_to_users(source: Source, node: ast.AST) -> bool:
    if not isinstance(node, AnyFunction):
        return is_rest_model(source, node)
    decorators = {ast.unparse(each.func) for each in node.decorator_list if isinstance(each, ast.Call)}
    return bool(decorators & _REGISTERED_BY) or node.name in COMMANDS.get(source.name, ())


def public(source: Source) -> Iterator[Definition]:
    """Yield the public classes, functions and methods: neither their name nor their owner's begins with `_`."""
    return _public(source.tree)


def _public(owner: ast.Module | ast.ClassDef) -> Iterator[Definition]:
    for node in _definitions(owner):
        if not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from _public(node)


def _definitions(owner: ast.Module | ast.ClassDef) -> Iterator[Definition]:
    """Yield the definitions of the owner itself, those under an `if` or `try` included."""
    waiting: list[ast.AST] = list(owner.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, Definition):
            yield node
        else:
            waiting.extend(ast.iter_child_nodes(node))
