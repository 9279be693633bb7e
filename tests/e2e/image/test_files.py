"""The files beside the Dockerfile follow their schemas, and agree with it, with the server and with each other."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import typer.main
import yaml

from groundwire.entry.cli.main import app
from groundwire_readers.contents.limits import MAX_DOCUMENT_BYTES
from tests.support.documentation.pages import ROOT
from tests.support.engines.installers.python_environments import environment
from tests.support.engines.missing import Absent, answer
from tests.support.entry.dockerfile import instructions

FOLDER: Final = ROOT / "image"
COMPOSE: Final = FOLDER / "compose.yaml"
KUBERNETES: Final = FOLDER / "kubernetes.yaml"
_MEGABYTE: Final = 1_000_000


def dockerfile() -> dict[str, str]:
    """The instructions of the last stage, by their word; the last one of each."""
    return dict(instructions(FOLDER / "Dockerfile"))


def services() -> dict[str, Any]:
    return yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]


def resource(kind: str) -> dict[str, Any]:
    (found,) = (each for each in yaml.safe_load_all(KUBERNETES.read_text(encoding="utf-8")) if each["kind"] == kind)
    return found


def pod() -> dict[str, Any]:
    return resource("StatefulSet")["spec"]["template"]["spec"]


def options_of_serve() -> set[str]:
    serve = typer.main.get_command(app).commands["serve"]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
    return {name for parameter in serve.params for name in parameter.opts}  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def ran(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_the_compose_file_follows_the_schema_of_compose() -> None:
    check = Path(sys.executable).with_name("check-jsonschema")
    done = ran(check, "--builtin-schema", "vendor.compose-spec", COMPOSE)
    assert done.returncode == 0, done.stdout


def test_the_kubernetes_file_follows_the_schema_of_kubernetes_and_a_wrong_member_is_seen(tmp_path: Path) -> None:
    try:
        check = environment("release") / "kubernetes-validate"
    except Absent as absent:
        answer(absent)
    wrong = tmp_path / "wrong.yaml"
    text = KUBERNETES.read_text(encoding="utf-8")
    wrong.write_text(text.replace("readOnlyRootFilesystem", "readOnlyRoot"), "utf-8")
    assert [ran(check, "--strict", file).returncode for file in (KUBERNETES, wrong)] == [0, 1]


def test_the_server_starts_with_options_that_it_has() -> None:
    started = json.loads(dockerfile()["CMD"]), services()["groundwire"]["command"], pod()["containers"][0]["args"]
    for command, *rest in started:
        assert command == "serve"
        assert {word for word in rest if word.startswith("--")} <= options_of_serve()


def test_every_file_gives_the_server_no_right_and_nothing_to_write_but_home_and_temporary_files() -> None:
    user = dockerfile()["USER"].partition(":")[0]
    assert int(user) > 0
    server, context = services()["groundwire"], pod()["securityContext"]
    (container,) = pod()["containers"]
    allowed = container["securityContext"]
    assert (server["read_only"], server["cap_drop"], server["tmpfs"]) == (True, ["ALL"], ["/tmp"])
    assert "privileged" not in server
    assert (context["runAsNonRoot"], context["runAsUser"]) == (True, int(user))
    assert allowed["readOnlyRootFilesystem"]
    assert (allowed["allowPrivilegeEscalation"], allowed["capabilities"]) == (False, {"drop": ["ALL"]})
    mounted = {mount["mountPath"] for mount in container["volumeMounts"]}
    assert mounted == {*json.loads(dockerfile()["VOLUME"]), "/tmp"}


def test_only_caddy_is_reached_from_outside_and_it_leads_to_the_port_of_the_server() -> None:
    port = dockerfile()["EXPOSE"]
    assert [name for name, service in services().items() if "ports" in service] == ["caddy"]
    assert f"reverse_proxy groundwire:{port}\n" in (FOLDER / "Caddyfile").read_text(encoding="utf-8")
    assert f"127.0.0.1:{port}/ready" in dockerfile()["HEALTHCHECK"]
    assert pod()["containers"][0]["ports"] == [{"name": "http", "containerPort": int(port)}]


def test_the_index_is_in_the_network_of_the_server_and_listens_to_it_alone() -> None:
    index, server = services()["opensearch"], services()["groundwire"]
    assert (index["network_mode"], index["environment"]["network.host"]) == ("service:groundwire", "127.0.0.1")
    assert server["environment"]["GROUNDWIRE_INDEX"] == "http://127.0.0.1:9200"


def test_the_probes_send_a_host_name_that_the_server_accepts() -> None:
    (container,) = pod()["containers"]
    for name in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container[name]["httpGet"]["httpHeaders"] == [{"name": "Host", "value": "localhost"}]


def test_the_proxies_let_the_largest_file_pass() -> None:
    caddy = (FOLDER / "Caddyfile").read_text(encoding="utf-8").partition("max_size ")[2].partition("MB")[0]
    ingress = resource("Ingress")["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-body-size"]
    assert min(int(caddy), int(ingress.removesuffix("m"))) * _MEGABYTE > MAX_DOCUMENT_BYTES
