"""Each `aws` command in the documentation is an operation of the service, with options that it takes.

The tool's commands are made of the same description of the services that botocore holds, and takes their names from it.
"""

import re
import shlex
from itertools import takewhile
from typing import Final

import botocore.session
import pytest
from botocore import xform_name
from botocore.model import ServiceModel

from tests.support.aws.template.variants import TEMPLATE
from tests.support.documentation.pages import GUIDES, ROOT, commands, text_of

COPYING: Final = ("s3", "cp")
"""A command of the tool's own: a source and a destination."""
OWN_NAMES: Final = {("ecr", "get-login-password"): "get-authorization-token"}
"""Commands by which the tool asks for an operation of another name."""
OF_EVERY_COMMAND: Final = {"region", "query", "output"}
TYPED: Final = sorted({command for page in GUIDES for command in commands(page) if command.startswith("aws ")})


def test_the_pages_contain_aws_commands() -> None:
    assert TYPED


@pytest.mark.parametrize("command", TYPED)
def test_an_aws_command_of_a_page_is_one_that_the_service_has(command: str) -> None:
    _, service, operation, *rest = takewhile(lambda word: word != "|", shlex.split(command))
    if (service, operation) == COPYING:
        source, destination = rest
        assert sum(place.startswith("s3://") for place in (source, destination)) == 1
        return
    model = ServiceModel(botocore.session.get_session().get_service_data(_described(service)), service)
    names = {xform_name(name, "-"): name for name in model.operation_names}
    operation = OWN_NAMES.get((service, operation), operation)
    assert operation in names
    shape = model.operation_model(names[operation]).input_shape
    assert shape is not None
    taken = {xform_name(name, "-") for name in shape.members}
    options = {word.removeprefix("--") for word in rest if word.startswith("--")} - OF_EVERY_COMMAND
    assert options <= taken
    assert {xform_name(name, "-") for name in shape.required_members} <= options


def test_the_image_is_built_as_lambda_takes_it_and_pushed_where_the_deployment_looks_for_it() -> None:
    typed = [command for page in GUIDES for command in commands(page)]
    [build] = [shlex.split(command) for command in typed if command.startswith("docker buildx build ")]
    [push] = [command for command in typed if command.startswith("docker push ")]
    [login] = [command for command in typed if " | docker login " in command]
    [repository] = [command for command in typed if "ecr create-repository" in command]
    image = push.split()[-1]
    host, _, tagged = image.partition("/")
    assert TEMPLATE["Resources"]["EmbeddingFunction"]["Properties"]["Architectures"] == ["x86_64"]
    # An attestation would make the tag an index of images, which Lambda refuses.
    assert {"--provenance=false", "linux/amd64", "ARCHITECTURE=x86_64", image} <= set(build)
    dockerfile = (ROOT / build[build.index("-f") + 1]).read_text(encoding="utf-8")
    assert "ARG ARCHITECTURE=" in dockerfile
    assert login.endswith(f" {host}")
    assert repository.split()[-1] == tagged.partition(":")[0]
    deployed = set(re.findall(r"EmbeddingImageUri=([^\s\"]+)", text_of("deploy/image")))
    assert deployed == {image}


def _described(service: str) -> str:
    """`s3api` is what the tool calls the service of s3."""
    return service.removesuffix("api")
