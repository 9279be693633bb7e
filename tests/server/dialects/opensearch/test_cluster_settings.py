"""The setting that clients send before they use the MCP server."""

from collections.abc import Mapping

import pytest

from tests.server.dialects.opensearch.node import Node, refusal

KEY = "plugins.ml_commons.mcp_server_enabled"
PATHS = ("/_cluster/settings", "/opensearch/_cluster/settings")
NESTED = {"plugins": {"ml_commons": {"mcp_server_enabled": "true"}}}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("settings", [{KEY: "true"}, {KEY: True}, NESTED, {"plugins.ml_commons": {KEY[19:]: True}}])
def test_that_the_server_is_on_is_acknowledged(node: Node, path: str, settings: object) -> None:
    answer = node.administer("PUT", path, {"persistent": settings})
    assert (answer.status, answer.payload) == (200, {"acknowledged": True, "persistent": NESTED, "transient": {}})
    flat = node.administer("PUT", f"{path}?flat_settings=true", {"transient": settings})
    assert flat.payload == {"acknowledged": True, "persistent": {}, "transient": {KEY: "true"}}


WRONG: Mapping[str, tuple[object, str, str]] = {
    "empty": ({}, "action_request_validation_exception", "Validation Failed: 1: no settings to update;"),
    "scope": ({"other": {KEY: True}}, "action_request_validation_exception", "Validation Failed: 1: no settings"),
    "key": ({"persistent": {"a.b": 1}}, "settings_exception", "persistent setting [a.b], not recognized"),
    "yes": (
        {"persistent": {KEY: "yes"}},
        "illegal_argument_exception",
        "Failed to parse value [yes] as only [true] or [false] are allowed.",
    ),
    "false": ({"persistent": {KEY: "false"}}, "illegal_argument_exception", f"[{KEY}: false] is not supported here"),
    "false beside true": (
        {"persistent": {KEY: True}, "transient": {KEY: False}},
        "illegal_argument_exception",
        f"[{KEY}: false] is not supported here",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_everything_else_is_refused(node: Node, case: str) -> None:
    body, kind, words = WRONG[case]
    status, got, reason = refusal(node.administer("PUT", PATHS[0], body))
    assert (status, got, reason[: len(words)]) == (400, kind, words)


def test_settings_need_the_admin_scope_and_the_method_put(node: Node) -> None:
    assert node.send("PUT", PATHS[0], {"persistent": NESTED}).status == 403
    assert node.administer("GET", PATHS[0]).status == 405
