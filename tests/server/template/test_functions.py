"""Functions are published, built by makefiles, and get only the variables that they read."""

import ast
from pathlib import Path
from typing import Any, Final

import pytest

from groundwire.settings import environment
from groundwire.settings.catalog import DEPLOYMENT_SETTINGS, sign_in
from tests.support.aws.template.role_grants import granted
from tests.support.aws.template.variants import ROOT, TEMPLATE, variant

TEMPLATE_TEXT: Final = (ROOT / "template.yaml").read_text(encoding="utf-8")
STACK: Final = variant()
FUNCTIONS: Final = STACK.of_type("AWS::Serverless::Function")
LAYERS: Final = STACK.of_type("AWS::Serverless::LayerVersion")
SHARED: Final[dict[str, Any]] = TEMPLATE["Globals"]["Function"]
IMAGES: Final = {"EmbeddingFunction"}
ZIPPED: Final = sorted(FUNCTIONS.keys() - IMAGES)
SEARCHING: Final = ("McpFunction", "ApiFunction", "IngestionFunction", "OperatorFunction")
MEMORY_OF_A_NEW_ACCOUNT: Final = 3008
"""Megabytes, until AWS raises it."""
ONE_PROCESSOR: Final = 1769
"""Megabytes of a function that is given one whole processor."""
SIGN_IN_SETTINGS: Final = tuple(setting.name for setting in sign_in.SIGN_IN.settings)
ALSO_OF_ONE_MACHINE: Final = (
    *(
        "PUBLIC_URL",
        "LINK_SECONDS",
        "ALLOWED_ORIGINS",
        "DIALECTS",
        "OPEN_DISCOVERY",
        "RERANKER",
        "RELEVANCE_FITS",
        "OCR",
        "THREADS",
        "EMBEDDER",
        "EMBEDDER_MODEL",
        "EMBEDDER_IMAGE_MODEL",
        "IMAGE_MODEL",
    ),
    *("INDEX", "INDEX_SERVICE", "INDEX_COLLECTION"),
    *("PLANNER", "PLANNER_URL", "MODEL_HOSTS"),
)


def own_names(function: str) -> set[str]:
    """Settings that a function is given, without prefix and without those of the identity provider."""
    names = {name.removeprefix("GROUNDWIRE_") for name in STACK.variables(function) if name.startswith("GROUNDWIRE_")}
    return {name for name in names if not name.startswith("OAUTH_")}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_variable_of_a_function_is_a_setting(name: str) -> None:
    given = {name for name in STACK.variables(name) if name.startswith("GROUNDWIRE_")}
    assert given <= {f"GROUNDWIRE_{one}" for one in DEPLOYMENT_SETTINGS | {*ALSO_OF_ONE_MACHINE, *SIGN_IN_SETTINGS}}
    assert not [one for one in given if unknown(one)]


def unknown(name: str) -> bool:
    try:
        environment.read_settings({name: ""})
    except environment.InvalidInput as problem:
        return str(problem).startswith("Unknown setting")
    return False


def test_every_setting_of_deployed_functions_is_given_to_one() -> None:
    assert set().union(*(own_names(name) for name in FUNCTIONS)) >= DEPLOYMENT_SETTINGS


def test_each_function_has_the_variables_that_it_reads_and_no_others() -> None:
    search = {
        "INDEX",
        "INDEX_SERVICE",
        "INDEX_COLLECTION",
        "INDEX_SECRET",
        "EMBEDDER",
        "EMBEDDER_MODEL",
    }
    tables = {"KEYS_TABLE", "USERS_TABLE", "DOCUMENTS_TABLE", "SESSIONS_TABLE"}
    secret = {"SECRET", "SECRET_VERSION"}
    assert {name: own_names(name) for name in FUNCTIONS} == {
        "AuthorizerFunction": {"KEYS_TABLE", "USERS_TABLE", "SESSIONS_TABLE", "DIALECTS", *secret},
        "McpFunction": {
            *(
                "DOCUMENTS_TABLE",
                "SESSIONS_TABLE",
                "AUDIT_LOG_GROUP",
                "BUCKET",
                "PUBLIC_URL",
                "LINK_SECONDS",
                "ALLOWED_ORIGINS",
                "DIALECTS",
                "OPEN_DISCOVERY",
                "RERANKER",
                "RELEVANCE_FITS",
                "EMBEDDER_IMAGE_MODEL",
                "SOURCES_FUNCTION",
            ),
            *(*secret, *search),
        },
        "ApiFunction": {
            *(*tables, "AUDIT_LOG_GROUP", "BUCKET", "PUBLIC_URL", "LINK_SECONDS", "ALLOWED_ORIGINS", "DIALECTS"),
            *("RERANKER", "RELEVANCE_FITS", "PLANNER", "PLANNER_URL", "PLANNER_SECRET", "MODEL_HOSTS"),
            *(*secret, *search, "SOURCES_FUNCTION", "OPEN_DISCOVERY", "EMBEDDER_IMAGE_MODEL"),
            *("PARSER_FUNCTION", "PARSER_ISOLATION"),
        },
        "IngestionFunction": {
            *("KEYS_TABLE", "USERS_TABLE", "DOCUMENTS_TABLE", "BUCKET", "QUEUE", "MAX_RECEIVES", "OCR"),
            *("EMBEDDER_IMAGE_MODEL", "AUDIT_LOG_GROUP", "PARSER_FUNCTION", "PARSER_ISOLATION", *search),
        },
        "ParserFunction": {"OCR", "PARSER_ISOLATION"},
        "OperatorFunction": {
            *tables,
            "AUDIT_LOG_GROUP",
            *secret,
            "BUCKET",
            "QUEUE",
            "SWEEP_QUEUE",
            "PUBLIC_URL",
            *search,
        }
        | {"EMBEDDER_IMAGE_MODEL", "QUEUE"},
        "SourcesFunction": {"DOCUMENTS_TABLE"},
        "EmbeddingFunction": {"THREADS", "IMAGE_MODEL"},
    }


@pytest.mark.parametrize("name", SEARCHING)
def test_the_index_is_the_stacks_own_or_the_given_one(name: str) -> None:
    own = STACK.variables(name)
    assert own["GROUNDWIRE_INDEX"] == {"Fn::GetAtt": ["SearchCollection", "CollectionEndpoint"]}
    assert own["GROUNDWIRE_INDEX_SERVICE"] == "serverless-nextgen"
    collection = STACK.resources["SearchCollection"]["Properties"]["Name"]
    assert own["GROUNDWIRE_INDEX_COLLECTION"] == collection
    given = variant(OpenSearchUrl="https://search.example.com").variables(name)
    assert given["GROUNDWIRE_INDEX"] == "https://search.example.com"
    assert given["GROUNDWIRE_INDEX_SERVICE"] == "opensearch"
    empty = ("GROUNDWIRE_INDEX_COLLECTION", "GROUNDWIRE_INDEX_SECRET")
    assert {given[one] for one in empty} == {""}


def test_the_functions_get_the_location_of_a_clusters_login() -> None:
    secret = "arn:aws:secretsmanager:eu-central-1:1:secret:search-AbCdEf"
    stack = variant(OpenSearchUrl="https://search.example.com", OpenSearchSecret=secret)
    reported = {name for name in FUNCTIONS if stack.variables(name).get("GROUNDWIRE_INDEX_SECRET") == secret}
    assert reported == set(SEARCHING)


def test_links_live_as_long_as_the_parameter_states_and_by_default_as_long_as_on_one_machine() -> None:
    stack = variant(LinkSeconds=3_600)
    reported = {name: stack.variables(name).get("GROUNDWIRE_LINK_SECONDS") for name in FUNCTIONS}
    assert {name: value for name, value in reported.items() if value is not None} == {
        "McpFunction": 3_600,
        "ApiFunction": 3_600,
    }
    parameter = TEMPLATE["Parameters"]["LinkSeconds"]
    assert parameter["Default"] == environment.read_settings({}).link_seconds
    assert parameter["MinValue"] <= parameter["Default"] <= parameter["MaxValue"]


def test_no_secret_is_written_into_the_stack_when_it_is_made() -> None:
    assert "{{resolve:" not in TEMPLATE_TEXT


def test_another_version_of_the_secret_changes_the_environment_of_every_function_that_may_read_it() -> None:
    before, after = variant(), variant(SecretVersion="2")
    changed = {name for name in FUNCTIONS if before.variables(name) != after.variables(name)}
    roles = {name: function["Role"]["Fn::GetAtt"][0] for name, function in FUNCTIONS.items()}
    assert changed == {name for name, role in roles.items() if "Secret" in granted(role)}
    assert len(changed) == 4


@pytest.mark.parametrize("name", SEARCHING)
def test_texts_are_embedded_by_the_published_function_or_by_bedrock(name: str) -> None:
    reported = STACK.variables(name)
    assert reported["GROUNDWIRE_EMBEDDER"] == {"Fn::Join": [":", ["lambda", {"Ref": "EmbeddingFunction.Alias"}]]}
    stack = variant(BedrockEmbedder="amazon.titan-embed-text-v2:0")
    assert stack.variables(name)["GROUNDWIRE_EMBEDDER"] == {"Fn::Sub": "bedrock:${BedrockEmbedder}"}
    assert "EmbeddingFunction" not in stack.resources


def test_every_function_has_the_same_identity_provider() -> None:
    shared = SHARED["Environment"]["Variables"]
    oauth = {name: value["Ref"] for name, value in shared.items() if name.startswith("GROUNDWIRE_OAUTH_")}
    assert len(oauth) == 9
    assert all(TEMPLATE["Parameters"][parameter]["Default"] == "" for parameter in oauth.values())


def test_the_function_that_a_snapshot_pays_for_is_published_whenever_anything_of_it_changes() -> None:
    published = {name for name, function in FUNCTIONS.items() if "AutoPublishAlias" in function}
    assert published == {"EmbeddingFunction"}
    embedding = FUNCTIONS["EmbeddingFunction"]
    assert embedding["AutoPublishAlias"] == "live"
    assert embedding["AutoPublishAliasAllProperties"] is True
    # Of parameters that change alone the tool knows nothing; another description makes another version.
    described = set(embedding["VersionDescription"]["Fn::Sub"].replace(",", "").split())
    assert {"${SnapStart}", "${Tracing}", "${EmbeddingMemory}"} <= described
    assert embedding["VersionDeletionPolicy"] == "Delete"


def memories(function: dict[str, Any]) -> list[int]:
    """Every size that the function may be given, in megabytes."""
    size = function["MemorySize"]
    if isinstance(size, int):
        return [size]
    parameter = TEMPLATE["Parameters"][size["Ref"]]
    return [parameter["Default"], *parameter["AllowedValues"]]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_function_needs_more_memory_than_a_new_account_may_give(name: str) -> None:
    assert max(memories(TEMPLATE["Resources"][name]["Properties"])) <= MEMORY_OF_A_NEW_ACCOUNT


def test_the_embedding_function_has_a_thread_for_each_processor_that_its_memory_buys() -> None:
    sizes = TEMPLATE["Parameters"]["EmbeddingMemory"]
    assert sizes["Default"] == ONE_PROCESSOR
    threads = {
        size: variant(EmbeddingMemory=size).variables("EmbeddingFunction")["GROUNDWIRE_THREADS"]
        for size in sizes["AllowedValues"]
    }
    assert threads == {size: "1" if size <= ONE_PROCESSOR else "2" for size in sizes["AllowedValues"]}


@pytest.mark.parametrize("name", ["McpFunction", "IngestionFunction", "OperatorFunction"])
def test_callers_expect_the_image_model_that_the_embedding_function_was_built_with(name: str) -> None:
    named = variant(ImageModel="openai/clip@0123/512")
    assert named.variables(name)["GROUNDWIRE_EMBEDDER_IMAGE_MODEL"] == "openai/clip@0123/512"
    assert named.variables("EmbeddingFunction")["GROUNDWIRE_IMAGE_MODEL"] == "/var/task/image-model"
    assert named.resources["EmbeddingFunction"]["Metadata"]["DockerBuildArgs"]["IMAGE_MODEL"] == "openai/clip@0123/512"
    assert variant().variables(name)["GROUNDWIRE_EMBEDDER_IMAGE_MODEL"] == ""
    assert variant().variables("EmbeddingFunction")["GROUNDWIRE_IMAGE_MODEL"] == ""
    other = variant(ImageModel="openai/clip@0123/512", BedrockEmbedder="amazon.titan-embed-text-v2:0")
    assert other.variables(name)["GROUNDWIRE_EMBEDDER_IMAGE_MODEL"] == ""


def test_a_snapshot_is_made_only_when_requested() -> None:
    assert TEMPLATE["Parameters"]["SnapStart"]["Default"] == "None"
    assert TEMPLATE["Resources"]["EmbeddingFunction"]["Properties"]["SnapStart"] == {"ApplyOn": {"Ref": "SnapStart"}}
    assert "SnapStart" not in SHARED
    assert not [name for name in ZIPPED if "SnapStart" in FUNCTIONS[name]]


def test_all_zip_functions_have_the_same_architecture_and_runtime() -> None:
    assert (SHARED["Architectures"], SHARED["Runtime"]) == ([{"Ref": "Architecture"}], "python3.13")
    assert TEMPLATE["Parameters"]["Architecture"]["AllowedValues"] == ["arm64", "x86_64"]
    version = SHARED["Runtime"].removeprefix("python")
    makefile = (ROOT / "layers" / "Makefile").read_text()
    assert f"RUNTIME ?= {version}" in makefile
    for name, layer in LAYERS.items():
        assert layer["CompatibleRuntimes"] == [SHARED["Runtime"]]
        assert STACK.resources[name]["Metadata"]["ContextPath"] == "layers"
        assert f"\nbuild-{name}:\n" in makefile
    assert not [name for name in ZIPPED if {"Architectures", "Runtime"} & FUNCTIONS[name].keys()]


def test_an_image_takes_over_nothing_that_only_zipped_functions_have() -> None:
    image = STACK.resources["EmbeddingFunction"]
    assert {"Runtime", "Handler", "Layers"} <= set(image["IgnoreGlobals"])
    assert not {"Runtime", "Handler", "Layers"} & image["Properties"].keys()


def test_an_image_that_is_given_is_not_built() -> None:
    built, given = (
        STACK.resources["EmbeddingFunction"],
        variant(EmbeddingImageUri="r/i:1").resources["EmbeddingFunction"],
    )
    assert "ImageUri" not in built["Properties"]
    assert built["Metadata"]["SkipBuild"] is False
    assert (ROOT / built["Metadata"]["DockerContext"] / built["Metadata"]["Dockerfile"]).is_file()
    assert given["Properties"]["ImageUri"] == "r/i:1"
    assert given["Metadata"]["SkipBuild"] is True


def test_every_function_has_a_log_group_of_its_own() -> None:
    groups = [function["LoggingConfig"]["LogGroup"]["Ref"] for function in FUNCTIONS.values()]
    assert len(set(groups)) == len(FUNCTIONS)


@pytest.mark.parametrize("name", ZIPPED)
def test_a_functions_file_only_binds_a_handler(name: str) -> None:
    folder = ROOT / FUNCTIONS[name]["CodeUri"]
    source = (folder / "app.py").read_text()
    assert len(source.splitlines()) <= 10
    body = ast.parse(source).body
    (imported,) = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert isinstance(imported, ast.ImportFrom)
    assert imported.module == "groundwire.entry.runtime.cold_start"
    assert [alias.name for alias in imported.names] == ["load_handler"]
    assert len(body) == 3
    assert STACK.resources[name]["Metadata"] == {"BuildMethod": "makefile"}
    assert f"build-{name}:" in (folder / "Makefile").read_text()
    assert {file.name for file in Path(folder).iterdir()} - {"__pycache__"} == {"app.py", "Makefile"}
