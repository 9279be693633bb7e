"""Parts of templates for examples."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.support.aws.refusals.template import FUNCTION, Template


@dataclass(frozen=True, slots=True)
class Example:
    """A template that a rule refuses, and one that it accepts."""

    refused: Template
    accepted: Template


def template(resources: Mapping[str, Any], **body: Any) -> Template:
    """Return a template of these resources, each given by its type and its properties."""
    return Template({"Resources": dict(resources), **body})


def resource(kind: str, **properties: Any) -> dict[str, Any]:
    """Return a resource of this type."""
    return {"Type": f"AWS::{kind}", "Properties": properties}


def function(**properties: Any) -> dict[str, Any]:
    """Return a function."""
    return {"Type": FUNCTION, "Properties": properties}


def of(kind: str, refused: Mapping[str, Any], accepted: Mapping[str, Any]) -> Example:
    """Return templates of one resource each."""
    return Example(template({"One": resource(kind, **refused)}), template({"One": resource(kind, **accepted)}))


def of_function(refused: Mapping[str, Any], accepted: Mapping[str, Any]) -> Example:
    """Return templates of one function each."""
    return Example(template({"One": function(**refused)}), template({"One": function(**accepted)}))


def routes(*keys: str, chained: bool = False) -> dict[str, Any]:
    """Return routes of one API, `Route0` and so on; chained: each waits for the one before."""
    made: dict[str, Any] = {}
    for number, key in enumerate(keys):
        made[f"Route{number}"] = resource("ApiGatewayV2::Route", ApiId={"Ref": "Api"}, RouteKey=key)
        if chained and number:
            made[f"Route{number}"]["DependsOn"] = f"Route{number - 1}"
    return made


ARN: Final = {"Fn::GetAtt": ["Queue", "Arn"]}
