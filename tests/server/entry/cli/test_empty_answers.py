"""An empty answer on the command line: one sentence, not two that say the same."""

import pytest

from groundwire.entry.cli.search.report import notice_for_people, print_passages
from groundwire.services.search import NOT_RELEVANT

NO_PASSAGE = "No passage that this user may read matches the search.\n"


@pytest.mark.parametrize(
    ("notice", "printed"),
    [(None, NO_PASSAGE), ("By words alone.", NO_PASSAGE), (f"By words alone. {NOT_RELEVANT}", "")],
)
def test_what_the_notice_has_stated_is_not_stated_again(
    capsys: pytest.CaptureFixture[str], notice: str | None, printed: str
) -> None:
    print_passages([], [], with_context=False, notice=notice_for_people(notice))
    assert capsys.readouterr().out == printed
