"""The declarations of the product's dialects, and what is held against them: the template and the documentation."""

from itertools import chain
from typing import Any, Final, cast

import pytest

from groundwire.dialects import DEFAULT, DIALECTS, MINDSET
from groundwire.dialects.declaration.dialect import SHARED_MCP_PATH, Dialect
from groundwire.dialects.declaration.services import DialectServices
from groundwire.domain.access.toolsets import DEFAULT_TOOLSET
from tests.support.aws.template.variants import variant
from tests.support.documentation.pages import row_of, rows, section, text_of

STACK: Final = variant()
REST_API: Final = ("ANY /v1/{proxy+}", "$default")
MENTIONED: Final = "none"
OPEN_DISCOVERY: Final = {"foundry"}
"""Names of the dialects whose discovery a setting may open.

A name in this set is a decision: everybody on the internet may read the tools of the dialect without a key.
"""


class Unused:
    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"a tool was built with the use case {name}, which is only needed to call it")


SERVICES: Final = DialectServices(cast("Any", Unused()), cast("Any", Unused()))


def function_of(route: dict[str, Any]) -> str:
    name = route["Target"]["Fn::Sub"].removeprefix("integrations/${").removesuffix("}")
    return STACK.of_type("AWS::ApiGatewayV2::Integration")[name]["IntegrationUri"]["Fn::GetAtt"][0]


def test_the_template_has_the_routes_of_the_declarations_and_no_others() -> None:
    routes = {route["RouteKey"]: route for route in STACK.of_type("AWS::ApiGatewayV2::Route").values()}
    guarded = {key: function_of(route) for key, route in routes.items() if route["AuthorizationType"] == "CUSTOM"}
    declared = {key: "ApiFunction" for each in DIALECTS for key in (*each.gateway_keys, *REST_API)}
    mcp = {f"ANY {path}" for each in DIALECTS for path in (SHARED_MCP_PATH, *each.mcp_paths)}
    assert guarded == declared | dict.fromkeys(mcp, "McpFunction")


def test_the_tables_in_the_documentation_state_what_the_declarations_say() -> None:
    page, _, rest_routes = section(text_of("dialects"), "All dialects").partition("### REST routes")
    for each in DIALECTS:
        name, toolset, mcp, tools, is_open, on = row_of(page, each.name)
        shared = () if each.toolset is None else (SHARED_MCP_PATH,)
        assert name == f"`{each.name}`"
        assert toolset == quoted([each.toolset] if each.toolset else [])
        assert mcp == quoted([*shared, *each.mcp_paths])
        assert tools == quoted(each.listed_tool_names)
        assert (is_open == "setting", on == "yes") == (each.allows_open_discovery, each.is_on_by_default)
    assert [row[0] for row in rows(page)] == ["dialect", *(f"`{each.name}`" for each in DIALECTS)]
    routes = [[f"`{each.name}`", f"`{route.key}`"] for each in DIALECTS for route in each.rest_routes]
    assert list(rows(rest_routes)) == [["dialect", "route"], *routes]
    for each in DIALECTS:
        if each.toolset is not None:
            assert row_of(text_of("clients"), each.toolset)[1] == quoted(each.listed_tool_names)


def quoted(names: Any) -> str:
    return ", ".join(f"`{name}`" for name in names) or MENTIONED


def test_names_toolsets_and_paths_are_used_once() -> None:
    for names in (
        [each.name for each in DIALECTS],
        [each.toolset for each in DIALECTS if each.toolset is not None],
        [path for each in DIALECTS for path in (*each.mcp_paths, *(route.key for route in each.rest_routes))],
    ):
        assert sorted(names) == sorted(set(names))
    assert SHARED_MCP_PATH not in chain.from_iterable(each.mcp_paths for each in DIALECTS)
    assert DEFAULT_TOOLSET in {each.toolset for each in DIALECTS}


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda each: each.name)
def test_a_declaration_builds_what_it_declares_without_a_use_case(dialect: Dialect) -> None:
    assert tuple(tool.build(SERVICES).name for tool in dialect.tools) == dialect.tool_names
    if dialect.library is not None:
        offered = dialect.library.build(SERVICES)
        assert tuple(prompt.name for prompt in offered.prompts) == dialect.library.prompts
        assert set(dialect.library.scopes) == {"prompts/get", "resources/read"}


def test_no_dialect_allows_open_discovery_but_those_for_which_it_was_decided() -> None:
    assert {each.name for each in DIALECTS if each.allows_open_discovery} == OPEN_DISCOVERY


def test_a_citation_is_verified_with_keys_of_both_toolsets_and_listed_to_mindset_ai_alone() -> None:
    assert all("verify_document_access" in dialect.tool_names for dialect in (DEFAULT, MINDSET))
    assert "verify_document_access" in MINDSET.listed_tool_names
    assert "verify_document_access" not in DEFAULT.listed_tool_names
