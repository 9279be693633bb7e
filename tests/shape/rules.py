"""House rules for one module, each a function from the module to its findings; a finding states the remedy."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePath
from typing import Final

from tests.shape.source import AnyFunction, Source, docstrings_of, functions, public

Rule = Callable[[Source], Iterator[str]]

MOST_MODULE_LINES: Final = 300
MOST_FUNCTION_LINES: Final = 50

_NAMES_FOR_ANYTHING: Final = {"base", "common", "helper", "helpers", "manager", "managers", "misc", "util", "utils"}
_BAD_OPENINGS: Final = {
    *(
        "What",
        "Who",
        "Whom",
        "Whose",
        "Which",
        "When",
        "Where",
        "Whether",
        "How",
        "Why",
        "That",
        "Those",
        "This",
        "These",
    ),
    *("Of", "As", "If", "In", "By", "With", "Without", "From", "To", "On", "For", "Before", "After", "So"),
    *("It", "They", "Such", "Same", "Each", "Every", "Both", "Only", "Not", "No", "Nothing", "Here", "There"),
    *("See", "Raises"),
}
"""Words that begin a relation, a question or a remark instead of the name of the thing or the verb of the action."""
_IDIOM: Final = re.compile(r"\b(?:is|are|was|were|be) none\b|\bNone: (?:it|they)\b")
"""A case without a value, in words that hide what is returned: `None: it is no number`."""
_ORPHAN: Final = re.compile(r"^[a-z]\S*(?: \S+)?\n[a-z]", re.MULTILINE)
"""One or two words alone on a line in the middle of a sentence, as a line wrapper leaves them."""
_BROAD: Final = {"Exception", "BaseException"}
BROAD_EXCEPTS: Final[Mapping[str, str]] = {
    "groundwire/entry/authorizer.py:handler": "the gateway would answer an exception by itself",
    "groundwire/entry/cli/main.py:main": "the last handler before the user of a command",
    "groundwire/entry/rest/provider_sign_in.py:provider_sign_in_response": "as `open_link`",
    "groundwire/entry/gateway/dispatch.py:authorize": "a function may raise anything; its caller gets a 500, as in AWS",
    "groundwire/entry/gateway/dispatch.py:invoke": "as `authorize`",
    "groundwire/entry/local_server/uploads/endpoint.py:_process": "a worker's last handler; the file stays",
    "groundwire/entry/mcp.py:_handle_event": "a caller gets an error answer, and the call an audit record",
    "groundwire/entry/mcp.py:_record_call": "a call whose record fails in any way is refused",
    "groundwire/entry/mcp.py:_refuse": "a dialect from another package may raise anything while it words an error",
    "groundwire/entry/operator/function.py:handler": "an administrator gets an answer; the log has the exception",
    "groundwire/entry/rest/links/document_links.py:_open": "a failed opening has an audit record, too",
    "groundwire/entry/rest/links/document_links.py:open_link": "the gateway would answer an exception by itself",
    "groundwire/entry/rest/middleware/access.py:_call_routes": "a caller gets an error answer, and the call a record",
    "groundwire/entry/rest/middleware/access.py:_is_recorded": "a call whose record fails in any way is refused",
    "groundwire/entry/rest/middleware/found_route.py:refusal": "as `_refuse` of the MCP entry",
    "groundwire/entry/runtime/warm_up.py:_run_warmer": "a thread's last handler; a failed warm-up fails no call",
    "groundwire/entry/runtime/warm_up.py:_run_warmers": "as `_run_warmer`",
}
"""Functions that may catch every exception without raising it again, each with the reason."""
_ENVIRONMENT: Final = {"environ", "environb", "getenv", "putenv", "unsetenv"}
_MAY_READ_THE_ENVIRONMENT: Final = (
    "groundwire/entry/",
    "groundwire/settings/",
    "groundwire/wiring/",
    # These start other programs and decide what those inherit.
    "groundwire_model_builder/install/wheels.py",
    "groundwire_readers/sandbox/processes/program.py",
)


def short_modules(source: Source) -> Iterator[str]:
    lines = len(source.text.splitlines())
    if lines > MOST_MODULE_LINES:
        yield f"{source.name}: {lines} lines, at most {MOST_MODULE_LINES}: move its second concept into its own module"


def short_functions(source: Source) -> Iterator[str]:
    for function in functions(source):
        lines = (function.end_lineno or function.lineno) - function.lineno + 1
        if lines > MOST_FUNCTION_LINES:
            size = f"`{function.name}` has {lines} lines, at most {MOST_FUNCTION_LINES}"
            yield f"{source.at(function)}: {size}: extract a function per step"


def docstrings(source: Source) -> Iterator[str]:
    if ast.get_docstring(source.tree) is None:
        yield f"{source.name}: add a docstring that begins with a noun: the concept or feature that the module holds"
    for node in public(source):
        if ast.get_docstring(node) is None:
            opening = "a noun" if isinstance(node, ast.ClassDef) else "a verb, such as Return,"
            yield f"{source.at(node)}: add a docstring to `{node.name}` that begins with {opening} in one sentence"


def docstring_openings(source: Source) -> Iterator[str]:
    for name, line, text in docstrings_of(source):
        opening = re.split(r"[\s,.:;]", text, maxsplit=1)[0]
        if opening in _BAD_OPENINGS:
            advice = "begin with a verb (a function) or a noun (a class, a module, a property); list errors last"
            yield f"{source.name}:{line}: the docstring of {name} begins with {opening!r}: {advice}"


def docstring_idioms(source: Source) -> Iterator[str]:
    classes = {f"`{node.name}`": _words(node.name) for node in source.nodes if isinstance(node, ast.ClassDef)}
    for name, line, text in docstrings_of(source):
        at = f"{source.name}:{line}: the docstring of {name}"
        if found := _IDIOM.search(text.partition("\n\n")[0]):
            yield f"{at} has {found[0]!r}: tell what is returned and when, as in `None if the text has no year`"
        if _ORPHAN.search(text):
            yield f"{at} has a line of one or two words in the middle of a sentence: wrap its paragraph again"
        if name in classes and _repeats(text, name.strip("`_"), classes[name]):
            yield f"{at} begins with its own name: begin with a noun that says what it is"


def _repeats(text: str, name: str, words: list[str]) -> bool:
    """Return whether the text begins with the name; one word with an article before it may be the right noun."""
    return text.partition(" ")[0] == name or (len(words) > 1 and _words(text)[: len(words)] == words)


def _words(text: str) -> list[str]:
    """Return the words of a name or a sentence in lower case, without articles."""
    found = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", text)
    return [word.lower() for word in found if word.lower() not in {"a", "an", "the"}]


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
    for place, finding in broad_excepts(source):
        if place not in BROAD_EXCEPTS:
            yield finding


def broad_excepts(source: Source) -> Iterator[tuple[str, str]]:
    """Yield the place and the finding of each handler that catches every exception and does not raise it again."""
    for node in source.nodes:
        # A handler that ends in a bare `raise` cleans up and hides nothing.
        if isinstance(node, ast.ExceptHandler) and _catches_all(node.type) and not _raises_again(node):
            place = f"{source.name}:{_function_around(source, node)}"
            yield place, f"{source.at(node)}: name the expected errors; `{place}` is not listed in BROAD_EXCEPTS"
        elif isinstance(node, ast.Call) and _last_name(node.func) == "suppress" and any(map(_catches_all, node.args)):
            yield "", f"{source.at(node)}: name the expected errors"


def _function_around(source: Source, node: ast.ExceptHandler) -> str:
    """Return the name of the innermost function around a handler; empty: it is in none."""
    around = [each for each in functions(source) if each.lineno <= node.lineno <= (each.end_lineno or 0)]
    return max(around, key=lambda each: each.lineno).name if around else ""


def _catches_all(caught: ast.expr | None) -> bool:
    if isinstance(caught, ast.Tuple):
        return any(map(_catches_all, caught.elts))
    return caught is None or _last_name(caught) in _BROAD


def _raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def _last_name(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


def specific_names(source: Source) -> Iterator[str]:
    for part in PurePath(source.name).with_suffix("").parts:
        if part.strip("_") in _NAMES_FOR_ANYTHING:
            yield f"{source.name}: `{part}` is a name for anything: name the module after its concept"


def no_printing(source: Source) -> Iterator[str]:
    for node in source.nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"print", "builtins.print"}:
            yield f"{source.at(node)}: print through `entry/cli/console.py` in a command; log or return elsewhere"


def settings_decide(source: Source) -> Iterator[str]:
    if source.name.startswith(_MAY_READ_THE_ENVIRONMENT):
        return
    for node in source.nodes:
        if _reads_environment(node):
            line = getattr(node, "lineno", 0)
            yield f"{source.name}:{line}: take the value as a parameter; `settings/` alone reads the environment"


def _reads_environment(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module == "os" and any(alias.name in _ENVIRONMENT for alias in node.names)
    return isinstance(node, ast.Attribute) and node.attr in _ENVIRONMENT and ast.unparse(node.value) == "os"
