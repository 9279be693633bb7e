"""The client for TypeScript: interfaces, and a class over `fetch`."""

from typing import Final

from tools.rest_clients.operations import Operation, Schema, operations_of, schemas_of
from tools.rest_clients.schema_types import TYPESCRIPT, type_of

_HEAD: Final = """// Client of Groundwire's REST API. `python -m tools.rest_clients` writes this file.
// Copy the file. It needs `fetch` and no package. A failed call throws `ApiError`.
"""
_CLIENT: Final = """
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(`HTTP ${status}: ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
  }
}

/** A delegated key acts for `user` with the session tags `tags`. */
export interface Options {
  user?: string;
  tags?: Array<string>;
}

/** Client of one server; `url` is its address without a path. */
export class Client {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, key: string, options: Options = {}) {
    this.#url = url.replace(/\\/+$/, "");
    this.#headers = { authorization: `Bearer ${key}`, accept: "application/json" };
    if (options.user !== undefined) this.#headers["x-user-id"] = options.user;
    if (options.tags !== undefined) this.#headers["x-session-tags"] = JSON.stringify(options.tags);
  }

  async #send(method: string, path: string, query: Record<string, unknown>, body?: unknown): Promise<unknown> {
    const named = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) named.set(name, String(value));
    }
    const address = named.size > 0 ? `${this.#url}${path}?${named}` : `${this.#url}${path}`;
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = body === undefined ? this.#headers : { ...this.#headers, "content-type": "application/json" };
    const response = await fetch(address, { method, headers, ...content });
    const text = await response.text();
    let answer: unknown = text;
    try {
      answer = JSON.parse(text);
    } catch {
      // The text of an error that is no JSON is kept.
    }
    if (!response.ok) throw new ApiError(response.status, answer);
    return answer;
  }
"""


def client(document: Schema) -> str:
    """Return the module of the client."""
    types = "".join(_declaration(name, schema) for name, schema in schemas_of(document).items())
    return f"{_HEAD}{types}{_CLIENT}{''.join(map(_method, operations_of(document)))}}}\n"


def _declaration(name: str, schema: Schema) -> str:
    if "properties" not in schema:
        return f"\nexport type {name} = {type_of(schema, TYPESCRIPT)};\n"
    required = set(schema.get("required", ()))
    rows = "".join(
        f"  {each}{'' if each in required else '?'}: {type_of(of, TYPESCRIPT)};\n"
        for each, of in schema["properties"].items()
    )
    return f"\n/** {' '.join(schema.get('description', name).split())} */\nexport interface {name} {{\n{rows}}}\n"


def _method(operation: Operation) -> str:
    in_path = [each for each in operation.parameters if each.is_in_path]
    options = [each for each in operation.parameters if not each.is_in_path]
    arguments = [f"{each.name}: {type_of(each.schema, TYPESCRIPT)}" for each in in_path]
    if operation.body is not None:
        arguments.append(f"body: {type_of(operation.body, TYPESCRIPT)}")
    members = "; ".join(
        f"{each.name}{'' if each.is_required else '?'}: {type_of(each.schema, TYPESCRIPT)}" for each in options
    )
    if options:
        # TypeScript accepts no empty object where a member is required.
        default = "" if any(each.is_required for each in options) else " = {}"
        arguments.append(f"query: {{ {members} }}{default}")
    path = operation.path.replace("{", "${encodeURIComponent(").replace("}", ")}")
    sent = ", ".join(
        [f'"{operation.method}"', f"`{path}`", "query" if options else "{}", *(["body"] if operation.body else [])]
    )
    answer = type_of(operation.answer, TYPESCRIPT)
    first, *rest = operation.name.split("_")
    name = first + "".join(map(str.capitalize, rest))
    return (
        f"\n  /** {operation.summary} */\n  async {name}({', '.join(arguments)}): Promise<{answer}> {{\n"
        f"    return (await this.#send({sent})) as {answer};\n  }}\n"
    )
