"""House rule on the options of programs: what a program reads of its parsed options, its parser defines."""

import ast
from collections.abc import Iterator

from tests.shape.source import Source


def unknown_options(source: Source) -> Iterator[str]:
    """Yield a finding for each attribute of parsed options that no `add_argument` of the module defines.

    Parsed options are a local variable of the function that parses them. Any other use of the variable is a finding,
    since an option that is read elsewhere could not be compared.
    """
    defined = {name for call in _calls(source.tree, "add_argument") for name in [_destination(call)] if name}
    for function in source.nodes:
        if isinstance(function, ast.FunctionDef):
            yield from _unknown(source, function, defined)


def _unknown(source: Source, function: ast.FunctionDef, defined: set[str]) -> Iterator[str]:
    names = {
        node.targets[0].id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _is_parsing(node.value)
    }
    read = {id(node.value): node for node in ast.walk(function) if isinstance(node, ast.Attribute)}
    for node in ast.walk(function):
        if not isinstance(node, ast.Name) or node.id not in names or isinstance(node.ctx, ast.Store):
            continue
        attribute = read.get(id(node))
        if attribute is None:
            yield f"{source.at(node)}: `{node.id}` is passed on: pass the options that are needed, by their names"
        elif attribute.attr not in defined:
            yield f"{source.at(node)}: `{node.id}.{attribute.attr}` is no option of the parser"


def _is_parsing(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "parse_args"


def _calls(tree: ast.AST, method: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method:
            yield node


def _destination(call: ast.Call) -> str | None:
    """Return the name under which argparse stores the option: `dest`, the first long form, or the first form."""
    for keyword in call.keywords:
        if keyword.arg == "dest" and isinstance(keyword.value, ast.Constant):
            return str(keyword.value.value)
    forms = [str(each.value) for each in call.args if isinstance(each, ast.Constant)]
    long = [form for form in forms if form.startswith("--")]
    return next((form.lstrip("-").replace("-", "_") for form in (*long, *forms)), None)
