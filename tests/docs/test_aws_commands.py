"""What the pages have people type into AWS's own tool is an operation of the service, with options that it takes.

The tool's commands are made of the same description of the services that botocore holds, and takes their names from it.
"""

import shlex
from typing import Final

import botocore.session
import pytest
from botocore import xform_name
from botocore.model import ServiceModel

from tests.docs.pages import GUIDES, commands

COPYING: Final = ("s3", "cp")
"""A command of the tool's own: a source and a destination."""
TYPED: Final = sorted({command for page in GUIDES for command in commands(page) if command.startswith("aws ")})


def test_pages_hold_such_commands() -> None:
    assert TYPED


@pytest.mark.parametrize("command", TYPED)
def test_an_aws_command_of_a_page_is_one_that_the_service_has(command: str) -> None:
    _, service, operation, *rest = shlex.split(command)
    if (service, operation) == COPYING:
        source, destination = rest
        assert sum(place.startswith("s3://") for place in (source, destination)) == 1
        return
    model = ServiceModel(botocore.session.get_session().get_service_data(_described(service)), service)
    names = {xform_name(name, "-"): name for name in model.operation_names}
    assert operation in names
    shape = model.operation_model(names[operation]).input_shape
    assert shape is not None
    taken = {xform_name(name, "-") for name in shape.members}
    options = {word.removeprefix("--") for word in rest if word.startswith("--")}
    assert options <= taken
    assert {xform_name(name, "-") for name in shape.required_members} <= options


def _described(service: str) -> str:
    """`s3api` is what the tool calls the service of s3."""
    return service.removesuffix("api")
