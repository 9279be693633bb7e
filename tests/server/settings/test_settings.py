"""Settings: read from the environment once, a mistake is named."""

from pathlib import Path

import pytest

from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.forms.oauth import IdentityProvider
from groundwire.settings import environment
from groundwire.settings.embedding_service import EmbeddingService, VectorModel


def test_without_a_variable_everything_has_a_local_default() -> None:
    read = environment.read_settings({})

    assert read.home == Path(".groundwire").absolute()
    assert read.public_url == "http://127.0.0.1:8080"
    assert read.allowed_origins == frozenset()


def test_variables_of_others_are_not_ours() -> None:
    assert environment.read_settings({"HOME": "/nowhere", "PATH": "/bin"}) == environment.read_settings({})


def test_every_setting_can_be_given() -> None:
    read = environment.read_settings(
        {
            "GROUNDWIRE_HOME": "/data",
            "GROUNDWIRE_MODEL": "/model",
            "GROUNDWIRE_PUBLIC_URL": "https://rag.example/",
            "GROUNDWIRE_ALLOWED_ORIGINS": "https://a.example https://b.example",
            "GROUNDWIRE_THREADS": "4",
            "GROUNDWIRE_LINK_SECONDS": "60",
        }
    )

    assert (read.home, read.model) == (Path("/data"), Path("/model"))
    assert read.public_url == "https://rag.example"
    assert read.allowed_origins == {"https://a.example", "https://b.example"}
    assert (read.threads, read.link_seconds) == (4, 60)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GROUNDWIRE_HOMER", "/data"),
        ("GROUNDWIRE_THREADS", "0"),
        ("GROUNDWIRE_THREADS", "many"),
        ("GROUNDWIRE_LINK_SECONDS", "-1"),
        ("GROUNDWIRE_LINK_SECONDS", "604801"),
        ("GROUNDWIRE_LINK_SECONDS", "9" * 5_000),
        ("GROUNDWIRE_PUBLIC_URL", "rag.example"),
        ("GROUNDWIRE_PUBLIC_URL", "http://a b"),
        ("GROUNDWIRE_EMBEDDER", "openai:some"),
        ("GROUNDWIRE_EMBEDDER", "bedrock:"),
        ("GROUNDWIRE_EMBEDDER", "lambda:arn:aws:lambda:eu-central-1:123456789012:function:embed:live"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(InvalidInput, match=name):
        environment.read_settings({name: value})


def test_a_service_that_embeds_is_read_with_the_model_that_it_answers_with() -> None:
    alias = "arn:aws:lambda:eu-central-1:123456789012:function:embed:live"
    function = environment.read_settings(
        {"GROUNDWIRE_EMBEDDER": f"lambda:{alias}", "GROUNDWIRE_EMBEDDER_MODEL": "all-a/b/384"}
    )
    usual = environment.read_settings({"GROUNDWIRE_EMBEDDER": "bedrock:cohere.embed-v4:0"})

    assert function.embedding_service == EmbeddingService("lambda", alias, VectorModel("all-a/b", 384))
    assert usual.embedding_service == EmbeddingService("bedrock", "cohere.embed-v4:0", None)
    assert (
        environment.read_settings({"GROUNDWIRE_EMBEDDER": "", "GROUNDWIRE_EMBEDDER_MODEL": "a/1"}).embedding_service
        is None
    )


@pytest.mark.parametrize("model", ["384", "name/", "name/0", "name/many", "a name/384", "/384"])
def test_a_model_that_is_no_name_and_dimension_is_refused(model: str) -> None:
    with pytest.raises(InvalidInput, match="GROUNDWIRE_EMBEDDER_MODEL"):
        environment.read_settings({"GROUNDWIRE_EMBEDDER": "lambda:arn:x", "GROUNDWIRE_EMBEDDER_MODEL": model})


def test_an_image_model_is_a_folder_here_or_a_name_and_dimension_of_the_embedding_function() -> None:
    function = {"GROUNDWIRE_EMBEDDER": "lambda:arn:x", "GROUNDWIRE_EMBEDDER_MODEL": "a/1"}
    named = environment.read_settings({**function, "GROUNDWIRE_EMBEDDER_IMAGE_MODEL": "openai/clip@01/512"})
    assert named.embedding_service is not None
    assert named.embedding_service.image_model == VectorModel("openai/clip@01", 512)
    assert environment.read_settings({}).image_model is None
    assert environment.read_settings({"GROUNDWIRE_IMAGE_MODEL": ""}).image_model is None
    assert environment.read_settings({"GROUNDWIRE_IMAGE_MODEL": "~/clip"}).image_model == Path.home() / "clip"
    with pytest.raises(InvalidInput, match="GROUNDWIRE_EMBEDDER_IMAGE_MODEL must be <name>/<dimension>"):
        environment.read_settings({**function, "GROUNDWIRE_EMBEDDER_IMAGE_MODEL": "clip"})
    with pytest.raises(InvalidInput, match="GROUNDWIRE_EMBEDDER_IMAGE_MODEL"):
        environment.read_settings(
            {"GROUNDWIRE_EMBEDDER": "bedrock:cohere.embed-v4:0", "GROUNDWIRE_EMBEDDER_IMAGE_MODEL": "clip/512"}
        )


def test_names_that_the_template_gives_to_deployed_functions_are_known() -> None:
    assert environment.read_settings({"GROUNDWIRE_KEYS_TABLE": "keys"}) == environment.read_settings({})


OAUTH = {
    "GROUNDWIRE_OAUTH_ISSUER": "https://id.example/tenant/",
    "GROUNDWIRE_OAUTH_AUDIENCE": "https://rag.example/mcp",
    "GROUNDWIRE_OAUTH_TENANT": "t_1",
    "GROUNDWIRE_OAUTH_USER_CLAIM": "sub",
}


def test_without_an_identity_provider_only_keys_are_accepted() -> None:
    assert environment.read_settings({}).identity_provider is None
    assert environment.read_settings(dict.fromkeys(OAUTH, "")).identity_provider is None


def test_an_identity_provider_is_kept_as_it_is_written() -> None:
    read = environment.read_settings(OAUTH).identity_provider
    scopes = "groundwire:search groundwire:verify"
    assert read == IdentityProvider(
        "https://id.example/tenant/", "https://rag.example/mcp", None, "t_1", None, "sub", None, client_scopes=scopes
    )
    named = {"GROUNDWIRE_OAUTH_TENANT": "", "GROUNDWIRE_OAUTH_TENANT_CLAIM": "org"}
    more = {"GROUNDWIRE_OAUTH_TAGS_CLAIM": "groups", "GROUNDWIRE_OAUTH_JWKS_URL": "https://id.example/keys"}
    read = environment.read_settings(OAUTH | named | more).identity_provider
    assert read is not None
    assert (read.tenant, read.tenant_claim, read.tags_claim) == (None, "org", "groups")
    assert read.jwks_url == "https://id.example/keys"


def test_people_sign_in_to_the_page_where_a_client_is_set_and_nowhere_else() -> None:
    assert not environment.read_settings({}).signs_in_to_page
    assert not environment.read_settings(OAUTH).signs_in_to_page
    client = {"GROUNDWIRE_OAUTH_CLIENT_ID": "page", "GROUNDWIRE_OAUTH_CLIENT_SCOPES": "api://x/groundwire:search"}
    settings = environment.read_settings(OAUTH | client)
    assert settings.signs_in_to_page
    assert settings.identity_provider is not None
    named = settings.identity_provider
    assert (named.client_id, named.client_scopes) == ("page", "api://x/groundwire:search")
    # A client without an issuer is a mistake that must show.
    with pytest.raises(InvalidInput, match="GROUNDWIRE_OAUTH_ISSUER"):
        _ = environment.read_settings(client).identity_provider
    assert not environment.read_settings(client).signs_in_to_page


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CLIENT_ID", "a\nb"),
        ("CLIENT_ID", "x" * 257),
        ("CLIENT_ID", "ä"),
        ("CLIENT_SCOPES", " a"),
        ("CLIENT_SCOPES", "a  b"),
        ("CLIENT_SCOPES", 'a"b'),
        ("CLIENT_SCOPES", "a\r\nb"),
    ],
)
def test_a_client_that_no_request_can_name_is_refused(name: str, value: str) -> None:
    variable = f"GROUNDWIRE_OAUTH_{name}"
    with pytest.raises(InvalidInput, match=variable):
        _ = environment.read_settings(OAUTH | {variable: value}).identity_provider


@pytest.mark.parametrize("missing", OAUTH)
def test_half_an_identity_provider_stops_only_what_needs_it(missing: str) -> None:
    read = environment.read_settings({name: value for name, value in OAUTH.items() if name != missing})
    with pytest.raises(InvalidInput, match=missing):
        _ = read.identity_provider


def test_an_identity_provider_has_one_way_to_the_tenant() -> None:
    with pytest.raises(InvalidInput, match="exactly one of"):
        _ = environment.read_settings(OAUTH | {"GROUNDWIRE_OAUTH_TENANT_CLAIM": "org"}).identity_provider
    with pytest.raises(InvalidInput, match="GROUNDWIRE_OAUTH_ISSUER"):
        _ = environment.read_settings({"GROUNDWIRE_OAUTH_TAGS_CLAIM": "groups"}).identity_provider


def test_a_file_maps_groups_to_tags(tmp_path: Path) -> None:
    mapping = tmp_path / "groups.json"
    mapping.write_text('{"/department/sales": ["department:sales"], "0F8FAD5B-D9CB-469F-A165-70867728950E": []}')
    read = environment.read_settings(OAUTH | {"GROUNDWIRE_OAUTH_GROUPS": str(mapping)}).identity_provider
    assert read is not None
    guid = "0f8fad5b-d9cb-469f-a165-70867728950e"
    assert read.groups == {"/department/sales": {"department:sales"}, guid: frozenset()}


@pytest.mark.parametrize(
    ("content", "stated"),
    [
        (None, "cannot be read"),
        ("[]", "must be a JSON object"),
        ("{", "must be a JSON object"),
        ('["sales"]', "must be a JSON object"),
        ('{"sales": "department:sales"}', "must be a JSON object"),
        ('{"sales": [7]}', "must be a JSON object"),
        ('{"sales": ["sys:admin"]}', "reserved prefix"),
        ('{"sales": [], "sales": ["board"]}', "occurs twice"),
        ('{"": []}', "A group is"),
        ('{"a": []' + " " * 1_000_000 + "}", "at most 1,000,000 bytes"),
    ],
)
def test_a_file_of_groups_that_is_not_valid_names_itself(tmp_path: Path, content: str | None, stated: str) -> None:
    mapping = tmp_path / "groups.json"
    if content is not None:
        mapping.write_text(content)
    read = environment.read_settings(OAUTH | {"GROUNDWIRE_OAUTH_GROUPS": str(mapping)})
    with pytest.raises(InvalidInput, match=stated) as refused:
        _ = read.identity_provider
    assert "GROUNDWIRE_OAUTH_GROUPS" in str(refused.value)


@pytest.mark.parametrize("name", ["GROUNDWIRE_OAUTH_ISSUER", "GROUNDWIRE_OAUTH_JWKS_URL"])
@pytest.mark.parametrize(
    "address",
    [
        "http://id.example",
        "http://127.0.0.1.example",
        "ftp://id.example",
        "id.example",
        "https://",
        "https://id.example?x",
        "https://id.example#x",
        "https://somebody@id.example",
        "https://id.example/a b",
        "https://id.example:port",
        "https://[::1",
        "https://id.ex\u00e4mple",
    ],
)
def test_keys_of_an_identity_provider_come_over_https_or_from_this_machine(name: str, address: str) -> None:
    with pytest.raises(InvalidInput, match=name):
        _ = environment.read_settings(OAUTH | {name: address}).identity_provider
    for local in ("http://127.0.0.1:9", "http://localhost:9/x", "http://[::1]:9"):
        assert environment.read_settings(OAUTH | {name: local}).identity_provider is not None
