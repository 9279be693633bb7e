"""Every picture of the page can be taken of the demo: each screen shows its content, fits and refuses nothing."""

from pathlib import Path

from tests.support.documentation.screens.pictures import PICTURES
from tests.support.documentation.screens.take import Form, take
from tests.support.engines.installers.chromium import chromium
from tests.support.engines.missing import Absent, answer


def test_each_screen_of_the_demo_is_taken_on_a_small_dark_window(tmp_path: Path) -> None:
    try:
        chromium()
    except Absent as absent:
        answer(absent)
    take(tmp_path, None, [Form(360, "dark")])
    assert sorted(tmp_path.iterdir()) == sorted(tmp_path / f"{name}-360-dark.webp" for name in PICTURES)
