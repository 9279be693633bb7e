"""Each interface words the remedy of an error for its own reader."""

from typing import get_args

import pytest

from groundwire.domain.error_codes import ROUTE_HINTS, error_from_members, error_to_members, message_with_hint
from groundwire.domain.errors import Conflict, NotFound, Remedy, Unavailable
from groundwire.settings.remedies import OPERATOR_HINTS


@pytest.mark.parametrize("remedy", get_args(Remedy))
def test_the_command_line_and_rest_have_a_sentence_for_each_remedy(remedy: Remedy) -> None:
    error = Unavailable("The index cannot be read.", remedy=remedy)
    assert message_with_hint(error, OPERATOR_HINTS) == f"The index cannot be read. {OPERATOR_HINTS[remedy]}"
    message = str(error_to_members(error, ROUTE_HINTS)["message"])
    assert message == "The index cannot be read. The operator can correct this on the server."


def test_an_error_without_a_remedy_has_its_message_alone() -> None:
    assert message_with_hint(Conflict("The name is taken."), OPERATOR_HINTS) == "The name is taken."


def test_the_list_of_names_comes_before_a_remedy() -> None:
    error = NotFound("There is no key 'a'.", "key", remedy="run_doctor")
    assert message_with_hint(error, OPERATOR_HINTS) == "There is no key 'a'. `groundwire key list` names them."


def test_a_remedy_that_another_process_worded_is_not_added_twice() -> None:
    sent = error_to_members(NotFound("There is no model 'a'.", remedy="install_model"), OPERATOR_HINTS)
    received = error_from_members(sent, OPERATOR_HINTS)
    assert message_with_hint(received, OPERATOR_HINTS) == sent["message"]
