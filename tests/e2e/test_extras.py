"""Each documented extra alone, installed from a wheel into an empty environment, gives a working command line."""

import ast
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from groundwire.entry.cli import EXTRA_OF_MODULE
from tests.e2e.installed import NO_ACCOUNT, built_model, installed_extra, run
from tests.support.documentation.pages import GUIDES, ROOT
from tests.support.engines.installers.extras import PIP, documented_extras

_INSTALL_LINE: Final = re.compile(r"pip install (?:--quiet )?-e '\.\[([a-z,{}]+)\]'")
_HELP_OF_EVERY_COMMAND: Final = """\
import sys, typer.main
from groundwire.entry.cli.main import app
from groundwire.entry.cli import start

def paths(command, words=()):
    yield words
    for name, each in getattr(command, "commands", {}).items():
        yield from paths(each, (*words, name))

for words in list(paths(typer.main.get_command(app))):
    sys.argv = ["groundwire", *words, "--help"]
    try:
        start()
    except SystemExit as ended:
        print("\\nENDED", ended.code, *words)
"""
_ALWAYS_INSTALLED: Final = {
    *("aws_lambda_powertools", "cryptography", "fastapi", "jwt", "mangum", "pydantic", "pydantic_core", "starlette"),
    *(
        "google",
        "h11",
        "numpy",
        "onnx",
        "onnxruntime",
        "prometheus_client",
        "python_multipart",
        "Stemmer",
        "uvicorn",
        "xberg",
    ),
    *("rich", "typer", "yaml"),
    *("groundwire", "groundwire_egress", "groundwire_mcp", "groundwire_model_builder", "groundwire_readers"),
    *("snapshot_restore_py", "typing_extensions"),
}
"""Requirements of the package without an extra, and what Lambda's runtime has.

`google` is protobuf, which onnx brings, `Stemmer` is pystemmer, and uvicorn brings h11.
"""


@pytest.fixture(scope="module", params=["", *documented_extras()], ids=lambda extra: extra or "none")
def extra(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def installed(extra: str) -> Path:
    """The environment's `bin` folder."""
    return installed_extra(extra)


def test_an_extra_alone_has_every_package_that_its_packages_require(installed: Path, tmp_path: Path) -> None:
    checked = run([*PIP, "--python", installed / "python", "check"], tmp_path)
    assert checked.returncode == 0, checked.stdout


def test_an_extra_alone_prints_the_help_of_every_command(installed: Path, tmp_path: Path) -> None:
    done = run([installed / "python", "-I", "-c", _HELP_OF_EVERY_COMMAND], tmp_path)
    ended = re.findall(r"^ENDED (\S+) ?(.*)$", done.stdout, re.MULTILINE)
    assert {"tenant create", "ingest", "search", "serve", "doctor"} <= {words for _, words in ended}
    assert {code for code, _ in ended} == {"0"}, done.stdout[-2000:] + done.stderr


def test_without_its_extra_a_command_names_the_wheel_that_has_it(tmp_path: Path) -> None:
    stack = run([installed_extra("") / "groundwire", "--stack", "groundwire-dev", "tenant", "list"], tmp_path)
    assert stack.returncode == 1
    assert re.search(r"needs the extra `aws`: `uvx --from '/\S+\.whl\[aws\]' groundwire`", stack.stderr), stack.stderr


def test_an_installation_without_an_extra_reaches_a_service(tmp_path: Path) -> None:
    command = [installed_extra("") / "groundwire", "--url", "http://127.0.0.1:9", "user", "list"]
    called = run(command, tmp_path, GROUNDWIRE_KEY="gw_local_x")
    assert called.stderr.startswith("127.0.0.1 does not answer"), called.stderr


def test_the_extra_aws_reaches_the_account(tmp_path: Path) -> None:
    command = "--stack groundwire-dev --region eu-central-1 tenant list"
    done = run([installed_extra("aws") / "groundwire", *command.split()], tmp_path, **NO_ACCOUNT)
    assert done.returncode == 1
    assert "http://127.0.0.1:9" in done.stderr, done.stderr


@pytest.mark.parametrize("extra", ["", "opensearch", "ocr", "models"], indirect=True)
def test_an_installation_for_a_machine_answers_from_a_document(extra: str, installed: Path, tmp_path: Path) -> None:
    model = built_model()
    (tmp_path / "leave.md").write_text("# Leave\n\nEverybody has 27 days of annual leave.\n", encoding="utf-8")
    for arguments in ("tenant create acme", "ingest leave.md --tenant acme --public"):
        done = run([installed / "groundwire", *arguments.split()], tmp_path, **model)
        assert done.returncode == 0, (extra, done.stderr)
    search = run([installed / "groundwire", "search", "leave", "--tenant", "acme", "--json"], tmp_path, **model)
    assert "27 days" in json.loads(search.stdout)[0]["text"]


@pytest.mark.parametrize(
    ("name", "variables", "printed"),
    [
        ("ocr", {"GROUNDWIRE_OCR": "eng"}, "ok  ocr       ready: eng"),
        ("opensearch", {"GROUNDWIRE_INDEX": "http://127.0.0.1:9"}, "BAD index The index does not answer"),
    ],
)
def test_doctor_finds_what_the_extra_installs(
    name: str, variables: Mapping[str, str], printed: str, tmp_path: Path
) -> None:
    done = run([installed_extra(name) / "groundwire", "doctor"], tmp_path, **built_model(), **variables)
    assert printed in done.stdout + done.stderr


def test_every_install_line_names_documented_extras() -> None:
    texts = [page.read_text(encoding="utf-8") for page in GUIDES]
    texts += [file.read_text(encoding="utf-8") for file in _modules()]
    named = {each for text in texts for group in _INSTALL_LINE.findall(text) for each in group.split(",")}
    assert {"aws", "models", "ocr", "opensearch"} <= named
    assert named <= {*documented_extras(), "{name}", "{extra}"}


def test_each_import_of_another_project_is_always_installed_or_belongs_to_an_extra() -> None:
    imported = {name for file in _modules() for name in _imported(file)} - set(sys.stdlib_module_names)
    imported = {name for name in imported if not name.startswith("types_boto3")}
    # The tools of the checkout are no other project.
    assert imported - _ALWAYS_INSTALLED - {"tools"} == set(EXTRA_OF_MODULE)


def _modules() -> list[Path]:
    return sorted(path for name in ("layers", "tools") for path in (ROOT / name).rglob("*.py"))


def _imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
