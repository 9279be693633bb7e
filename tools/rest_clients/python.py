"""The client for Python: typed dictionaries, and a class over the standard library."""

import keyword
import textwrap
from collections.abc import Iterator
from typing import Final

from tools.rest_clients.operations import Operation, Parameter, Schema, operations_of, schemas_of
from tools.rest_clients.schema_types import PYTHON, type_of

_HEAD: Final = '''"""Client of Groundwire's REST API. `python -m tools.rest_clients` writes this file.

Copy the file. It needs Python 3.11 and no other package. A failed call raises `ApiError`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict, cast
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen
'''
_CLIENT: Final = '''

class ApiError(Exception):
    """A failed call: its HTTP status, and the JSON of the error."""

    def __init__(self, status: int, body: object) -> None:
        super().__init__(f"HTTP {status}: {body}")
        self.status = status
        self.body = body


class Client:
    """Client of one server.

    Args:
        url: address of the server, without a path.
        key: key of the caller.
        user: user for whom a delegated key acts.
        tags: session tags of this user.
        seconds: time limit of one call.
    """

    def __init__(
        self, url: str, key: str, *, user: str | None = None, tags: Sequence[str] | None = None, seconds: float = 30
    ) -> None:
        self._url = url.rstrip("/")
        self._headers = {"authorization": f"Bearer {key}", "accept": "application/json"}
        if user is not None:
            self._headers["x-user-id"] = user
        if tags is not None:
            self._headers["x-session-tags"] = json.dumps([*tags])
        self._seconds = seconds

    def _send(
        self, method: str, path: str, query: Mapping[str, object | None], body: Mapping[str, Any] | None = None
    ) -> object:
        named = {name: _text(value) for name, value in query.items() if value is not None}
        headers = self._headers if body is None else {**self._headers, "content-type": "application/json"}
        request = Request(
            f"{self._url}{path}" + (f"?{urlencode(named)}" if named else ""),
            None if body is None else json.dumps(body).encode(),
            headers,
            method=method,
        )
        try:
            with urlopen(request, timeout=self._seconds) as response:
                return json.load(response)
        except HTTPError as error:
            content = error.read()
            try:
                problem: object = json.loads(content)
            except ValueError:
                problem = content.decode(errors="replace")
            raise ApiError(error.code, problem) from error


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
'''
_MARK: Final = "\n\ndef _text("
_WIDTH: Final = 116


def client(document: Schema) -> str:
    """Return the module of the client."""
    types = "".join(_declaration(name, schema) for name, schema in schemas_of(document).items())
    before, after = _CLIENT.split(_MARK)
    methods = "".join(map(_method, operations_of(document)))
    return f"{_HEAD}{types}{before}{methods}{_MARK}{after}"


def _declaration(name: str, schema: Schema) -> str:
    if "properties" not in schema:
        return f"\n{name} = {type_of(schema, PYTHON)}\n"
    required = set(schema.get("required", ()))
    members = {
        each: type_of(member, PYTHON) if each in required else f"NotRequired[{type_of(member, PYTHON)}]"
        for each, member in schema["properties"].items()
    }
    if any(keyword.iskeyword(each) or not each.isidentifier() for each in members):
        rows = "".join(f'        "{each}": "{of}",\n' for each, of in members.items())
        return f'\n\n{name} = TypedDict(\n    "{name}",\n    {{\n{rows}    }},\n)\n'
    rows = "".join(f"    {each}: {of}\n" for each, of in members.items())
    return f"\n\nclass {name}(TypedDict):\n{_docstring(schema.get('description', name), 4)}\n{rows}"


def _docstring(text: str, indent: int) -> str:
    lines = textwrap.wrap(" ".join(text.split()), _WIDTH - indent - 6)
    space = " " * indent
    if len(lines) == 1:
        return f'{space}"""{lines[0]}"""\n'
    return f'{space}"""{lines[0]}\n' + "".join(f"{space}{line}\n" for line in lines[1:]) + f'{space}"""\n'


def _method(operation: Operation) -> str:
    answer = type_of(operation.answer, PYTHON)
    path = operation.path.replace("{", "{quote(").replace("}", ", safe='')}")
    query = ", ".join(f'"{each.name}": {_name(each)}' for each in operation.parameters if not each.is_in_path)
    body = "" if operation.body is None else ", cast('Mapping[str, Any]', body)"
    prefix = "f" if "{" in path else ""
    rows = "".join(f"        {each},\n" for each in _arguments(operation))
    return (
        f"\n    def {operation.name}(\n        self,\n{rows}    ) -> {answer}:\n"
        f"{_docstring(operation.summary, 8)}"
        f'        answer = self._send("{operation.method}", {prefix}"{path}", {{{query}}}{body})\n'
        f'        return cast("{answer}", answer)\n'.replace(f'cast("{answer}"', f"cast({answer!r}")
    )


def _arguments(operation: Operation) -> Iterator[str]:
    for each in operation.parameters:
        if each.is_in_path:
            yield f"{_name(each)}: {type_of(each.schema, PYTHON)}"
    if operation.body is not None:
        yield f"body: {type_of(operation.body, PYTHON)}"
    options = [each for each in operation.parameters if not each.is_in_path]
    if options:
        yield "*"
    for each in options:
        of = type_of(each.schema, PYTHON)
        yield f"{_name(each)}: {of}" if each.is_required else f"{_name(each)}: {_optional(of)} = None"


def _optional(of: str) -> str:
    return of if of.endswith("| None") else f"{of} | None"


def _name(parameter: Parameter) -> str:
    return f"{parameter.name}_" if keyword.iskeyword(parameter.name) else parameter.name
