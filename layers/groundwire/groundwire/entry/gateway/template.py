"""Reader of template.yaml: routes, their functions, authorizers and header mappings."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from groundwire.domain.errors import InvalidInput
from groundwire.domain.text.json_values import is_list, mapping_or_empty
from groundwire.entry.gateway import cloudformation

_OVERWRITE: Final = "overwrite:header."
_CONTEXT: Final = "$context.authorizer."
_LAMBDA_DEFAULTS: Final[Mapping[str, object]] = {"Timeout": 3, "MemorySize": 128}
"""Lambda's defaults for properties that a template does not set."""


@dataclass(frozen=True, slots=True)
class FunctionSpec:
    """A Lambda function of the template.

    Attributes:
        name: its logical id.
        file: the Python file with the handler.
        attribute: the handler's name in the file.
    """

    name: str
    file: Path
    attribute: str
    timeout_s: int
    memory_mb: int


@dataclass(frozen=True, slots=True)
class RouteSpec:
    """A route of the HTTP API.

    Attributes:
        key: as in the template, such as "GET /open/{token}" or "$default".
        authorizer: called before the function; None for a route with AuthorizationType NONE.
        overwrites: header name to the key of the authorizer's context that replaces it.
    """

    key: str
    function: FunctionSpec
    authorizer: FunctionSpec | None
    overwrites: Mapping[str, str]


def read_routes(path: Path) -> list[RouteSpec]:
    """Return the routes of the template's HTTP API, in the template's order.

    Raises:
        InvalidInput: the template cannot be read, or uses a feature that this gateway does not support.
    """
    return _TemplateReader(path.resolve()).routes()


def read_function(path: Path, name: str) -> FunctionSpec:
    """Return the function with this logical id.

    Raises:
        InvalidInput: the template cannot be read, or has no such function.
    """
    return _TemplateReader(path.resolve()).function(name)


class _TemplateReader:
    def __init__(self, path: Path) -> None:
        self._path = path
        document = cloudformation.load_template(path)
        self._resources = cast("dict[str, dict[str, object]]", document.get("Resources") or {})
        shared = cast("dict[str, dict[str, object]]", document.get("Globals") or {})
        self._parameters = cast("dict[str, dict[str, object]]", document.get("Parameters") or {})
        self._function_defaults = {**_LAMBDA_DEFAULTS, **shared.get("Function", {})}

    def routes(self) -> list[RouteSpec]:
        names = [name for name in self._resources if self._type(name) == "AWS::ApiGatewayV2::Route"]
        if not names:
            raise InvalidInput(f"{self._path} has no AWS::ApiGatewayV2::Route, so there is nothing to serve.")
        return [self._route(name) for name in names]

    def _route(self, name: str) -> RouteSpec:
        route = self._properties(name, "AWS::ApiGatewayV2::Route")
        integration_name = self._referenced(name, route.get("Target"))
        integration = self._properties(integration_name, "AWS::ApiGatewayV2::Integration")
        function = self.function(self._referenced(integration_name, integration.get("IntegrationUri")))
        overwrites = self._overwrites(integration_name, integration.get("RequestParameters"))
        return RouteSpec(str(route["RouteKey"]), function, self._authorizer(name, route), overwrites)

    def _authorizer(self, name: str, route: Mapping[str, object]) -> FunctionSpec | None:
        """Return the route's authorizer; None only for an explicit NONE, since a missing type is a mistake."""
        kind = route.get("AuthorizationType")
        if kind == "NONE":
            return None
        if kind != "CUSTOM":
            raise InvalidInput(f"{self._path}: {name} needs AuthorizationType CUSTOM or NONE, not {kind!r}.")
        authorizer_name = self._referenced(name, route.get("AuthorizerId"))
        authorizer = self._properties(authorizer_name, "AWS::ApiGatewayV2::Authorizer")
        payload_format = (authorizer.get("AuthorizerType"), authorizer.get("AuthorizerPayloadFormatVersion"))
        if payload_format != ("REQUEST", "2.0") or authorizer.get("EnableSimpleResponses") is not True:
            raise InvalidInput(f"{self._path}: {authorizer_name} must be REQUEST, payload 2.0, with simple responses.")
        # A kept decision would outlive a revoked key, and would spend none of its rate.
        if authorizer.get("AuthorizerResultTtlInSeconds") != 0 or authorizer.get("IdentitySource"):
            raise InvalidInput(
                f"{self._path}: {authorizer_name} must be called for every request: TTL 0 and no IdentitySource."
            )
        return self.function(self._referenced(authorizer_name, authorizer.get("AuthorizerUri")))

    def function(self, name: str) -> FunctionSpec:
        function = {**self._function_defaults, **self._properties(name, "AWS::Serverless::Function")}
        module, _, attribute = str(function["Handler"]).rpartition(".")
        file = self._path.parent / self._code_folder(name, function) / f"{module}.py"
        if not file.is_file():
            raise InvalidInput(f"{self._path}: {name} names {file}, which does not exist.")
        return FunctionSpec(
            name, file, attribute, self._number(function["Timeout"]), self._number(function["MemorySize"])
        )

    def _code_folder(self, name: str, function: Mapping[str, object]) -> Path:
        """Return the folder with the handler; for an image, the one of its Dockerfile."""
        dockerfile = mapping_or_empty(self._resources[name].get("Metadata")).get("Dockerfile")
        return Path(str(dockerfile)).parent if isinstance(dockerfile, str) else Path(str(function["CodeUri"]))

    def _number(self, value: object) -> int:
        """Return a number, or the default of the parameter that is named instead."""
        parameter = self._parameters.get(str(mapping_or_empty(value).get("Ref")))
        return int(str(value if parameter is None else parameter["Default"]))

    def _overwrites(self, name: str, parameters: object) -> dict[str, str]:
        mapping = cast("dict[str, str]", parameters or {})
        for target, source in mapping.items():
            if not target.startswith(_OVERWRITE) or not source.startswith(_CONTEXT):
                raise InvalidInput(
                    f"{self._path}: {name} maps {target!r}; only {_OVERWRITE}… from {_CONTEXT}… is known."
                )
        return {
            target.removeprefix(_OVERWRITE).lower(): source.removeprefix(_CONTEXT) for target, source in mapping.items()
        }

    def _properties(self, name: str, kind: str) -> dict[str, object]:
        if self._type(name) != kind:
            raise InvalidInput(f"{self._path}: {name} must be a resource of type {kind}.")
        return cast("dict[str, object]", self._resources[name].get("Properties") or {})

    def _type(self, name: str) -> object:
        return self._resources.get(name, {}).get("Type")

    def _referenced(self, name: str, value: object) -> str:
        """Return the name of the one resource of this template that an intrinsic function references."""
        names = _names_in(value) & self._resources.keys()
        if len(names) != 1:
            raise InvalidInput(f"{self._path}: {name} must point at one resource of this template, not at {value!r}.")
        return names.pop()


def _names_in(value: object) -> set[str]:
    """Return the logical ids in a Ref, GetAtt or Sub: `${Name}` and `${Name.Arn}` alike."""
    function_name, argument = next(iter(mapping_or_empty(value).items()), ("", ""))
    if function_name == "Ref":
        return {str(argument)}
    if function_name == "Fn::GetAtt" and is_list(argument):
        return {str(argument[0])}
    if function_name == "Fn::Sub":
        return {part.partition("}")[0].partition(".")[0] for part in str(argument).split("${")[1:]}
    return set()
