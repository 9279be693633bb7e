"""The house rules as functions from a module to what breaks them; each finding says what to do."""

import ast
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import Final

from tests.shape.source import AnyFunction, Source, functions, public

Rule = Callable[[Source], Iterator[str]]

MOST_MODULE_LINES: Final = 300
MOST_FUNCTION_LINES: Final = 50

_SAYS_NOTHING: Final = {"base", "common", "helper", "helpers", "manager", "managers", "misc", "util", "utils"}
_BROAD: Final = {"Exception", "BaseException"}
_ENVIRONMENT: Final = {"environ", "environb", "getenv", "putenv", "unsetenv"}
_MAY_READ_THE_ENVIRONMENT: Final = (
    "groundwire/entry/",
    "groundwire/settings/",
    "groundwire/wiring/",
    # These start other programs and decide what those inherit.
    "groundwire/adapters/onnx/install/published_weights.py",
    "groundwire/adapters/parse/sandbox/process.py",
)


def short_modules(source: Source) -> Iterator[str]:
    lines = len(source.text.splitlines())
    if lines > MOST_MODULE_LINES:
        yield f"{source.name}: {lines} lines, at most {MOST_MODULE_LINES}: give its second idea a module of its own"


def short_functions(source: Source) -> Iterator[str]:
    for function in functions(source):
        lines = (function.end_lineno or function.lineno) - function.lineno + 1
        if lines > MOST_FUNCTION_LINES:
            what = f"`{function.name}` has {lines} lines, at most {MOST_FUNCTION_LINES}"
            yield f"{source.at(function)}: {what}: name its steps and make each a function"


def docstrings(source: Source) -> Iterator[str]:
    if ast.get_docstring(source.tree) is None:
        yield f"{source.name}: begin it with one sentence that says what it holds"
    for node in public(source):
        if ast.get_docstring(node) is None:
            yield f"{source.at(node)}: say in one sentence what `{node.name}` is, or what is true after the call"


def annotations(source: Source) -> Iterator[str]:
    for function in functions(source):
        missing = _unannotated(function)
        if missing:
            yield f"{source.at(function)}: annotate {', '.join(missing)} of `{function.name}`"


def _unannotated(function: AnyFunction) -> list[str]:
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    owner = positional[:1] if positional and positional[0].arg in {"self", "cls"} else []
    others = [*positional[len(owner) :], given.vararg, *given.kwonlyargs, given.kwarg]
    names = [argument.arg for argument in others if argument is not None and argument.annotation is None]
    return names if function.returns is not None else [*names, "the result"]


def narrow_excepts(source: Source) -> Iterator[str]:
    if source.name.startswith("groundwire/entry/"):
        return
    for node in ast.walk(source.tree):
        # What ends in a bare `raise` tidies up and hides nothing.
        if isinstance(node, ast.ExceptHandler) and _catches_all(node.type) and not _raises_again(node):
            yield f"{source.at(node)}: catch the errors that are meant; only an entry point answers for all others"
        elif isinstance(node, ast.Call) and _last_name(node.func) == "suppress" and any(map(_catches_all, node.args)):
            yield f"{source.at(node)}: suppress the errors that are meant"


def _catches_all(caught: ast.expr | None) -> bool:
    if isinstance(caught, ast.Tuple):
        return any(map(_catches_all, caught.elts))
    return caught is None or _last_name(caught) in _BROAD


def _raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def _last_name(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


def telling_names(source: Source) -> Iterator[str]:
    for part in PurePath(source.name).with_suffix("").parts:
        if part.strip("_") in _SAYS_NOTHING:
            yield f"{source.name}: `{part}` says nothing: name the module after what it holds"


def no_printing(source: Source) -> Iterator[str]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"print", "builtins.print"}:
            yield f"{source.at(node)}: commands print through `entry/cli/console.py`; everything else logs or returns"


def settings_decide(source: Source) -> Iterator[str]:
    if source.name.startswith(_MAY_READ_THE_ENVIRONMENT):
        return
    for node in ast.walk(source.tree):
        if _reads_environment(node):
            line = getattr(node, "lineno", 0)
            yield f"{source.name}:{line}: take the value as a parameter; `settings/` alone reads the environment"


def _reads_environment(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module == "os" and any(alias.name in _ENVIRONMENT for alias in node.names)
    return isinstance(node, ast.Attribute) and node.attr in _ENVIRONMENT and ast.unparse(node.value) == "os"
