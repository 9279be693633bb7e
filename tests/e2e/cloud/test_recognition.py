"""Text recognition with what the layer of parsers carries, under Lambda's runtime: nothing is installed beside it."""

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

import pytest

from groundwire.adapters.parse import find_ocr_settings
from groundwire.domain.errors import Unavailable
from tests.support.aws.deployment.artifacts import Artifact
from tests.support.documents.scanned_pdf import scanned_pdf
from tests.support.engines import lambda_runtime
from tests.support.engines.missing import Absent, answer

LAYERS: Final = ("GroundwireLayer", "ParsersLayer")
DATA: Final = Path("share", "tessdata")
FUNCTION: Final = """\
import base64
from pathlib import Path
from groundwire.adapters.parse import ParserLimits, ConfinedParser, find_ocr_settings

def handler(event, context):
    ocr = find_ocr_settings(["eng"], Path(event["data"]))
    # As the parser function, since Lambda's kernel refuses the filter.
    with ConfinedParser(ParserLimits(), ocr=ocr, allow_unconfined=True) as parser:
        document = parser.parse(base64.b64decode(event["content"]), "pdf")
    return {"texts": [block.text for block in document.blocks], "without_text": document.pages_without_text}
"""


def test_a_scanned_page_is_recognised_by_the_layer_of_parsers(built: Mapping[str, Artifact], tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(FUNCTION, encoding="utf-8")
    scan = scanned_pdf([["MINUTES OF THE BOARD", "ROUTINE WORDS"]])
    event = {"content": base64.b64encode(scan).decode(), "data": str(built["ParsersLayer"].folder / DATA)}
    try:
        with lambda_runtime.running(tmp_path, [built[name].folder for name in LAYERS]) as function:
            read = cast("dict[str, Any]", function.invoke(event))
    except Absent as absent:
        answer(absent)
    assert read["without_text"] == 0, read
    assert "MINUTES OF THE" in " ".join(read["texts"])


def test_the_data_of_the_layer_is_looked_for_where_lambda_unpacks_it(built: Mapping[str, Artifact]) -> None:
    assert (built["ParsersLayer"].folder / DATA / "eng.traineddata").is_file()
    with pytest.raises(Unavailable, match=str(Path("/opt") / DATA)):
        find_ocr_settings(["a_language_that_nobody_speaks"], None)
