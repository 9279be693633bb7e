"""The texts of the package that a person or a model can read, as its source has them."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from tests.support.documentation.language import MAX_SENTENCE_WORDS, retired_words, sentences_of, words_of
from tests.support.documentation.pages import ROOT

PACKAGE: Final = ROOT / "layers" / "groundwire" / "groundwire"
RETIRED_IN_MESSAGES: Final = frozenset({"afar", "anew", "asked", "kin", "reaches", "unsaid"})
"""Words that a message avoids in addition to those that a page avoids."""

_PLACEHOLDER: Final = "X"
_ERROR_ROOTS: Final = frozenset({"DomainError", "EgressError", "ProtocolError", "ReadingError", "ValueError"})
_CONSOLE: Final = frozenset({"echo", "print", "print_line", "print_rows", "warn"})
_PROMPTS: Final = frozenset({"ask_confirmation", "confirm", "prompt"})
_HELP: Final = frozenset({"Argument", "Option", "Typer", "add_typer"})
_LOGS: Final = frozenset({"error", "exception", "info", "warning"})
_COMMANDS: Final = frozenset({"callback", "command"})
_COMMAND_FOLDER: Final = "entry/cli/"
_ROOT_COMMAND: Final = "entry/cli/main.py"
_MIN_WORDS: Final = 4
_MIN_PLAIN_SHARE: Final = 0.6
_PLAIN_WORD: Final = re.compile(r"[(\"'`*]*[A-Za-z][a-z'-]*[)\"'`.,:;!?…*]*")
_TECHNICAL: Final = re.compile(
    r"\\|\(\?|  |\| None|\w\[\w+[\[,]|[=<>!]= :|= [?:]|:=|<[/?!]"
    r"|^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|PRAGMA)"
)
_WORD_LISTS: Final = (
    "adapters/lexical/",
    "domain/search/model_languages.py",
    "domain/text/token_estimate.py",
    "groundwire_readers/readers/word/equations/symbols.py",
    "groundwire_readers/text/stop_words.py",
    "services/search/planning/",
)
"""Modules whose texts are lists of words and patterns."""
_FOREIGN_TEXTS: Final = ("dialects/opensearch/tools/types.py",)
"""Modules whose texts are those of another system, word for word."""
_PARSERS: Final = ("adapters/parse/", "groundwire_readers/")
"""Packages whose texts avoid the words that pages avoid, and no more."""
_WITHOUT_COMMANDS: Final = (
    "adapters/aws/",
    "adapters/local/",
    "adapters/mcp_client.py",
    "adapters/oidc/",
    "dialects/",
    "domain/",
    "entry/functions/",
    "entry/http/",
    "entry/local_server/uploads/",
    "entry/mcp.py",
    "entry/rest/",
    "groundwire_egress/",
    "groundwire_mcp/",
    "ports/",
    "services/",
)
"""Packages whose texts a client of REST or MCP can read."""
_ONLY_AT_THE_COMMAND_LINE: Final = (
    "adapters/aws/account/clients.py",
    "adapters/aws/account/operator_function.py",
    "adapters/local/index_export.py",
    "adapters/local/ingest/enricher_command.py",
    "adapters/local/secret_file.py",
    "domain/error_codes.py",
)
"""Modules within these packages whose texts are shown by a command, or when a server starts."""
_COMMAND_OR_SETTING: Final = re.compile(
    r"`groundwire [a-z]|\bgroundwire (?:--|[a-z]+ [A-Z-])|GROUNDWIRE_|(?<![\w-])--[a-z]"
)


class MessageKind(StrEnum):
    """How a text comes to its reader."""

    ERROR = "error"
    CONSOLE = "console"
    PROMPT = "prompt"
    HELP = "help"
    LOG = "log"
    SENTENCE = "sentence"


@dataclass(frozen=True, slots=True)
class Message:
    """A text with a placeholder for each value that it is formatted with."""

    file: str
    line: int
    kind: MessageKind
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@cache
def messages() -> tuple[Message, ...]:
    """Every message of the package: texts of errors, console, prompts, help and logs, and all other sentences."""
    trees = modules()
    errors, commands = error_classes(trees.values()), command_functions(trees[_ROOT_COMMAND])
    return tuple(
        message for name, tree in trees.items() for message in messages_of(name, tree, errors, commands=commands)
    )


@cache
def modules() -> Mapping[str, ast.Module]:
    """The modules by path: the server's below its package, the others below the folder of theirs."""
    files = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}
    for folder in sorted([*(ROOT / "layers").glob("*/groundwire_*/"), *(ROOT / "tools").glob("*/groundwire_*/")]):
        files |= {path.relative_to(folder.parent).as_posix(): path for path in sorted(folder.rglob("*.py"))}
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in files.items()}


def command_functions(root: ast.Module) -> frozenset[str]:
    """Names of the functions that the root of the command line registers as commands."""
    return frozenset(
        _last_name(node.args[0])
        for node in ast.walk(root)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Call) and _last_name(node.func.func) in _COMMANDS
    )


def error_classes(trees: Iterable[ast.Module]) -> frozenset[str]:
    """Names of the classes of errors that are shown to a caller, with all subclasses."""
    bases = {
        node.name: {_last_name(base) for base in node.bases}
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    found = set(_ERROR_ROOTS)
    while more := {name for name, parents in bases.items() if parents & found} - found:
        found |= more
    return frozenset(found)


def names_of_commands(file: str, tree: ast.Module) -> Iterator[str]:
    """Each text of a module for clients of REST or MCP that names a command, an option of one or a setting."""
    if not file.startswith(_WITHOUT_COMMANDS) or file in _ONLY_AT_THE_COMMAND_LINE:
        return
    for node, text in _literals(tree):
        if len(text.split()) > 1 and _COMMAND_OR_SETTING.search(text):
            yield f"{file}:{node.lineno}: give a `remedy`, which each interface words: {text}"


def messages_of(
    file: str, tree: ast.Module, errors: frozenset[str], *, commands: frozenset[str] = frozenset()
) -> Iterator[Message]:
    """The messages of one module: each string literal once, under the kind of its call."""
    if file.startswith((*_WORD_LISTS, *_FOREIGN_TEXTS)):
        return
    kinds: dict[int, MessageKind] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (kind := _kind_of_call(node, errors)):
            arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
            kinds |= {id(part): kind for argument in arguments for part in _shown_parts(argument)}
    for node, text in _literals(tree):
        kind = kinds.get(id(node))
        if len(words_of(text)) > 1 and (kind is not None or is_sentence(text)):
            yield Message(file, node.lineno, kind or MessageKind.SENTENCE, text)
    yield from _command_helps(file, tree, commands)


def _kind_of_call(call: ast.Call, errors: frozenset[str]) -> MessageKind | None:
    name = _last_name(call.func)
    table = (
        (errors, MessageKind.ERROR),
        (_CONSOLE, MessageKind.CONSOLE),
        (_PROMPTS, MessageKind.PROMPT),
        (_HELP, MessageKind.HELP),
        (_LOGS if _is_logger(call.func) else frozenset[str](), MessageKind.LOG),
    )
    return next((kind for names, kind in table if name in names), None)


def _is_logger(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and _last_name(function.value).lower().endswith(("log", "logger"))


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _shown_parts(argument: ast.expr) -> Iterator[ast.expr]:
    """The literals of which an argument consists, without those that only choose between them."""
    match argument:
        case ast.Constant() | ast.JoinedStr():
            yield argument
        case ast.BinOp(left=left, right=right):
            yield from (*_shown_parts(left), *_shown_parts(right))
        case ast.IfExp(body=body, orelse=other):
            yield from (*_shown_parts(body), *_shown_parts(other))
        case ast.Call(func=ast.Attribute(value=value, attr="format")):
            yield from _shown_parts(value)
        case _:
            pass


def _literals(tree: ast.Module) -> Iterator[tuple[ast.Constant | ast.JoinedStr, str]]:
    """The string literals of a module without its docstrings, in the order of the source."""
    excluded = {
        id(part)
        for node in ast.walk(tree)
        for part in (
            ast.walk(node) if isinstance(node, ast.JoinedStr) else [node.value] if isinstance(node, ast.Expr) else ()
        )
        if part is not node
    }
    for node in ast.walk(tree):
        if id(node) in excluded:
            continue
        if isinstance(node, ast.JoinedStr):
            yield node, "".join(_part_text(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node, re.sub(r"\{\w*\}", _PLACEHOLDER, node.value)


def _part_text(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else _PLACEHOLDER


def is_sentence(text: str) -> bool:
    """Whether a literal outside of known calls reads like a sentence: enough words, most of them plain."""
    words = words_of(text)
    if len(words) < _MIN_WORDS or _TECHNICAL.search(text):
        return False
    return sum(bool(_PLAIN_WORD.fullmatch(word)) for word in words) >= _MIN_PLAIN_SHARE * len(words)


def _command_helps(file: str, tree: ast.Module, commands: frozenset[str]) -> Iterator[Message]:
    """The docstrings that are help texts: those of functions registered here or by the root."""
    if not file.startswith(_COMMAND_FOLDER):
        return
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and (text := ast.get_docstring(node)):
            decorators = [each for each in node.decorator_list if isinstance(each, ast.Call)]
            if node.name in commands or any(_last_name(each.func) in _COMMANDS for each in decorators):
                yield Message(file, node.lineno, MessageKind.HELP, text)


def broken_message_rules(message: Message) -> Iterator[str]:
    """Each breach of a rule of language by a message, as a line for its author."""
    for paragraph in message.text.split("\n"):
        for sentence in sentences_of(paragraph):
            if len(words_of(sentence)) > MAX_SENTENCE_WORDS:
                yield f"{message}: {len(words_of(sentence))} words: {sentence}"
            further = frozenset[str]() if message.file.startswith(_PARSERS) else RETIRED_IN_MESSAGES
            retired = [*retired_words(sentence), *sorted(further & set(_lower_words(sentence)))]
            yield from (f"{message}: retired word {word!r}: {sentence}" for word in retired)


def _lower_words(sentence: str) -> list[str]:
    return re.findall(r"[a-z-]+", sentence.lower())
