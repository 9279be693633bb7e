"""One description of runs, and how each format writes it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from itertools import starmap

from tests.readers.office import docx, paragraph, pptx, run
from tests.readers.open_files import epub, open_file

Run = tuple[str, str]
"""Kind of a run ("plain", "raised", "lowered", "struck", "deleted") and its text."""


def _tagged(tags: Mapping[str, tuple[str, str]]) -> Callable[[Sequence[Run]], str]:
    return lambda runs: "".join(f"{tags[kind][0]}{escape(text)}{tags[kind][1]}" for kind, text in runs)


html_runs = _tagged(
    {
        "plain": ("", ""),
        "raised": ("<sup>", "</sup>"),
        "lowered": ("<sub>", "</sub>"),
        "struck": ("<s>", "</s>"),
        "deleted": ("<del>", "</del>"),
    }
)
_css_runs = _tagged(
    {
        "plain": ("<span>", "</span>"),
        "raised": ("<span class='up'>", "</span>"),
        "lowered": ("<span style='font-size:60%; position:relative; top:.3em'>", "</span>"),
        "struck": ("<span style='text-decoration: red line-through'>", "</span>"),
        "deleted": ("<b class='gone'>", "</b>"),
    }
)
_markdown_runs = _tagged(
    {
        "plain": ("", ""),
        "raised": ("<sup>", "</sup>"),
        "lowered": ("<sub>", "</sub>"),
        "struck": ("~~", "~~"),
        "deleted": ("<del>", "</del>"),
    }
)
_STYLE = "<style>.up{vertical-align:super} .gone{text-decoration-line:line-through}</style>"


def _html(runs: Sequence[Run]) -> bytes:
    return f"<p>{html_runs(runs)}</p><table><tr><td>{html_runs(runs)}<td>cell</table>".encode()


def _css(runs: Sequence[Run]) -> bytes:
    return f"{_STYLE}<p>{_css_runs(runs)}</p><table><tr><td>{_css_runs(runs)}<td>cell</table>".encode()


def _epub(runs: Sequence[Run]) -> bytes:
    return epub({"a.xhtml": f"<p>{html_runs(runs)}</p><table><tr><td>{html_runs(runs)}</td><td>cell</td></tr></table>"})


def _markdown(runs: Sequence[Run]) -> bytes:
    return f"{_markdown_runs(runs)}\n\n| {_markdown_runs(runs)} | cell |\n|---|---|\n".encode()


_WORD_PROPERTIES = {
    "plain": "",
    "raised": '<w:vertAlign w:val="superscript"/>',
    "lowered": '<w:vertAlign w:val="subscript"/>',
    "struck": "<w:strike/>",
}
_WORD_EQUIVALENTS = _WORD_PROPERTIES | {
    "raised": '<w:position w:val="8"/><w:sz w:val="14"/>',
    "lowered": '<w:position w:val="-4"/><w:sz w:val="14"/>',
    "struck": "<w:dstrike/>",
}


def _word(properties: Mapping[str, str], runs: Sequence[Run]) -> bytes:
    text = paragraph(*(_deleted(text) if kind == "deleted" else run(text, properties[kind]) for kind, text in runs))
    row = f"<w:tr><w:tc>{text}</w:tc><w:tc>{paragraph(run('cell'))}</w:tc></w:tr>"
    return docx(text, f"<w:tbl>{row}</w:tbl>")


def _deleted(text: str) -> str:
    return f'<w:del w:id="1"><w:r><w:delText>{escape(text)}</w:delText></w:r></w:del>'


_TEXT_STYLES = (
    '<style:style style:name="R" style:family="text"><style:text-properties style:text-position="super 58%"/>'
    '</style:style><style:style style:name="L" style:family="text"><style:text-properties '
    'style:text-position="-20% 58%"/></style:style><style:style style:name="B" style:family="text">'
    '<style:text-properties style:text-line-through-style="solid"/></style:style>'
    '<style:style style:name="S" style:family="text" style:parent-style-name="B"/>'
)
_open_runs = _tagged(
    {
        "plain": ("", ""),
        "raised": ('<text:span text:style-name="R">', "</text:span>"),
        "lowered": ('<text:span text:style-name="L">', "</text:span>"),
        "struck": ('<text:span text:style-name="S">', "</text:span>"),
        "deleted": ('<text:span text:style-name="B">', "</text:span>"),
    }
)
_rich_runs = _tagged(
    {
        "plain": ("", ""),
        "raised": (r"{\super ", "}"),
        "lowered": (r"\sub ", r"\nosupersub "),
        "struck": (r"{\fs24\strike ", "}"),
        "deleted": (r"{\striked1 ", "}"),
    }
)
_article_runs = _tagged(
    {
        "plain": ("", ""),
        "raised": ("<sup>", "</sup>"),
        "lowered": ("<sub>", "</sub>"),
        "struck": ("<strike>", "</strike>"),
        "deleted": ('<hi rend="strikethrough">', "</hi>"),
    }
)


def _open(runs: Sequence[Run]) -> bytes:
    text = f"<text:p>{_open_runs(runs)}</text:p>"
    row = "".join(f"<table:table-cell>{cell}</table:table-cell>" for cell in (text, "<text:p>cell</text:p>"))
    return open_file("text", f"{text}<table:table><table:table-row>{row}</table:table-row></table:table>", _TEXT_STYLES)


def _rich(runs: Sequence[Run]) -> bytes:
    text = _rich_runs(runs).replace("×", r"\u215 ?")
    row = rf"\trowd\cellx2000\cellx4000 {text}\intbl\cell cell\intbl\cell\row"
    return rf"{{\rtf1\ansi{{\fonttbl{{\f0 Arial;}}}}\pard\plain {text}\par {row}\pard\par}}".encode()


def _slide(runs: Sequence[Run]) -> bytes:
    text = f"<a:p>{''.join(starmap(_slide_run, runs))}</a:p>"
    cells = "".join(
        f"<a:tc><a:txBody>{cell}</a:txBody></a:tc>" for cell in (text, f"<a:p>{_slide_run('plain', 'cell')}</a:p>")
    )
    frame = f"<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr>{cells}</a:tr></a:tbl></a:graphicData></a:graphic>"
    shown = f"<p:sp><p:nvSpPr/><p:spPr/><p:txBody>{text}</p:txBody></p:sp>"
    return pptx([[f"{shown}{frame}</p:graphicFrame>"]], {})


def _slide_run(kind: str, text: str) -> str:
    attributes = {
        "plain": 'baseline="0"',
        "raised": 'baseline="30000"',
        "lowered": 'baseline="-25000"',
        "struck": 'strike="sngStrike"',
        "deleted": 'strike="dblStrike"',
    }[kind]
    return f"<a:r><a:rPr {attributes}/><a:t>{escape(text)}</a:t></a:r>"


def _article(runs: Sequence[Run]) -> bytes:
    text = _article_runs(runs)
    return f"<d><p>{text}</p><table><tr><td>{text}</td><td>cell</td></tr></table></d>".encode()


WRITERS: Mapping[str, tuple[str, Callable[[Sequence[Run]], bytes]]] = {
    "html": ("html", _html),
    "css": ("html", _css),
    "epub": ("epub", _epub),
    "md": ("md", _markdown),
    "docx": ("docx", partial(_word, _WORD_PROPERTIES)),
    "docx by other properties": ("docx", partial(_word, _WORD_EQUIVALENTS)),
    "odt": ("odt", _open),
    "rtf": ("rtf", _rich),
    "pptx": ("pptx", _slide),
    "xml": ("xml", _article),
}
"""File type and content of a paragraph of the runs and a table with them in its first cell, by name."""
