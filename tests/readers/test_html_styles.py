"""Forms in which CSS hides text of a page, and similar ones that leave it visible."""

from collections.abc import Callable
from typing import Final

import pytest

from groundwire_readers.dispatch import read_document
from tests.readers.steps import MOST_GROWTH
from tests.support.documents.step_count import growth_of_steps

_SEEN = "The tariff of the night is paid at the quay."

_HIDING = (
    *("opacity:3%", "opacity:calc(0)", "zoom:0", "zoom:1%", "mso-hide:all", "-webkit-opacity:0"),
    *("font-size:calc(1px * 0)", "font-size:clamp(0px, 0px, 1px)", "font-size:min(1px, 2em)", "font-size:0.1vw"),
    *("font-size:.01ch", "font-size:0pc", "font-size:1e-3px", "font:0/0 a", "font:italic bold 0.5px serif"),
    *("color:hwb(0 100% 0%)", "color:lab(100 0 0)", "color:lch(100 0 0)", "color:oklab(1 0 0)"),
    *("color:oklch(100% 0 0)", "color:color(srgb 1 1 1)", "color:color-mix(in srgb, white, white)"),
    *("color:rgba(255,255,255,.5)", "color:#fffffffe", "color:lab(0 0 0 / 0)", "color:hsl(60 100% 98%)"),
    *("background:orange;color:orange", "background:currentColor", "-webkit-text-fill-color:transparent"),
    *("-webkit-text-fill-color:#fff;color:black", "background-clip:text;color:transparent"),
    *("color:white !important;color:black", "font-size:0 !important;font-size:14px"),
    *("text-indent:-9999px !important;text-indent:0", "text-indent:-999em", "text-indent:9999px;overflow:hidden"),
    *(
        "position:absolute;bottom:-9999px",
        "position:absolute;left:9999px",
        "position:absolute;inset:-9999px auto auto 0",
    ),
    *("position:absolute;left:calc(0px - 9999px)", "margin:0 0 0 -9999px", "margin-top:-9999px", "margin-left:-999em"),
    *("clip:rect(1px,1px,1px,1px)", "clip-path:inset(0 100% 0 0)", "clip-path:circle(0)", "clip-path:ellipse(0 0)"),
    *("clip-path:polygon(0 0,0 0,0 0)", "clip-path:xywh(0 0 0 0)", "-webkit-clip-path:inset(100%)"),
    *("height:1px;width:1px;overflow:hidden", "max-block-size:0;overflow:clip", "height:calc(0px);overflow-y:hidden"),
    *("line-height:0;overflow:hidden", "transform:scale(0,0)", "transform:scaleY(0)", "transform:scale3d(0,0,0)"),
    *("transform:scale(.001)", "transform:matrix(0,0,0,0,0,0)", "transform:rotateX(90deg)", "rotate:x 90deg"),
    *("transform:translate(0,-9999px)", "transform:translate3d(-9999px,0,0)", "translate:-9999px", "scale:0 0"),
    *("filter:opacity(0%)", "-webkit-filter:opacity(0)", "filter:blur(50px)", "letter-spacing:-1em"),
    "mask-image:linear-gradient(transparent,transparent)",
)
_SHOWING = (
    *("width:0", "height:0", "line-height:0", "width:100%;max-width:0;overflow:hidden;text-overflow:ellipsis"),
    *("height:20px;overflow:hidden", "zoom:1", "scale:1;translate:0 -10px", "transform:translate(-50%,-50%)"),
    *("transform:scale(.9)", "clip:auto;clip-path:none", "clip-path:inset(0 0 0 0)", "clip-path:circle(50%)"),
    *("font:12px/1.5 Arial", "font:italic bold .9em/1.2 Arial,sans-serif", "font-size:clamp(1rem,2vw,3rem)"),
    *("font-size:calc(1rem + 1vw)", "font-size:14", "opacity:50%", "color:rgba(0,0,0,.87)", "color:lab(20 0 0)"),
    *("background:oklch(20% 0 0);color:#fff", "background:teal;color:#fff", "letter-spacing:-.02em"),
    *("text-indent:-7em;padding-left:7em", "position:relative;left:50%;margin-left:-50vw", "filter:contrast(1.2)"),
    "background:linear-gradient(red,blue);-webkit-background-clip:text;-webkit-text-fill-color:transparent",
)


def _read(body: str, head: str = "") -> list[str]:
    page = f"<html><head>{head}</head><body><p>{_SEEN}</p>{body}</body></html>"
    return [block.text for block in read_document(page.encode(), "html").blocks]


@pytest.mark.parametrize("style", _HIDING)
def test_a_style_that_hides_text_leaves_it_out(style: str) -> None:
    assert _read(f'<p style="{style}">SECRET</p>') == [_SEEN]


@pytest.mark.parametrize("style", _SHOWING)
def test_a_style_that_leaves_text_visible_keeps_it(style: str) -> None:
    assert _read(f'<p style="{style}">Boats leave at six.</p>') == [_SEEN, "Boats leave at six."]


@pytest.mark.parametrize("around", ["font-size:.3em", "font-size:30%", "font-size:5px"])
def test_sizes_of_text_within_each_other_multiply(around: str) -> None:
    assert _read(f'<div style="{around}"><p style="font-size:30%">SECRET</p></div>') == [_SEEN]
    assert _read(f'<div style="{around}"><p style="font-size:1rem">Boats.</p></div>') == [_SEEN, "Boats."]


# A quadratic match of so long a value does not end.
@pytest.mark.parametrize(
    "style",
    ["font-size:" + "calc(" * 1_800_000, "clip-path:" + "polygon(" * 600_000, "color:" + "color-mix(in a," * 600_000],
)
def test_values_of_any_form_and_length_are_read(style: str) -> None:
    assert len(_read(f'<p style="{style}">Boats.</p>')) == 2


@pytest.mark.parametrize(
    "sheet",
    [
        *("@media screen{.k{display:none}}", "@media (min-width:1px){.k{display:none}}", ".k{display:none"),
        *("@supports (display:grid){.k{display:none}}", "@layer a{@media all{.k{display:none}}}", ".k{font:0/0 a}"),
        *("@layer a,b;.k{display:none}", "@charset 'x';.k{display:none}", "@container (min-width:1px){.k{opacity:0}}"),
        *("p.k{display:none}", "main .k{display:none}", "main>.k{display:none}", "html body p.k.k{color:#fff}"),
        *(":is(.k){display:none}", ":where(.k){display:none}", "[class=k]{display:none}", "p[class~='k']{opacity:0}"),
        *("main{& .k{display:none}}", "main{.k{display:none}}", "div p,.k.k{display:none}", "<!-- .k{opacity:0} -->"),
        *(".a .k{display:block}main .k{display:none}", "#x .k{display:block}p.k{visibility:hidden}"),
    ],
)
def test_a_rule_of_any_form_leaves_out_what_it_hides(sheet: str) -> None:
    assert _read("<main><p class=k>SECRET</p></main>", f"<style>{sheet}</style>") == [_SEEN]


@pytest.mark.parametrize(
    "sheet",
    [
        *("@media print{.k{display:none}}", "@media (max-width:600px){.k{display:none}}", ".z .k{display:none}"),
        *("@supports not (display:grid){.k{display:none}}", ".k:hover{display:none}", ".k.z{display:none}"),
        *("div>.k{display:none}", ".z{.k{display:none}}", "[data-x]{display:none}", "@keyframes a{from{opacity:0}}"),
        *("main p{display:none}main p.k{display:block}", "body>.k{display:none}", ".k::before{display:none}"),
    ],
)
def test_a_rule_that_does_not_hold_hides_nothing(sheet: str) -> None:
    assert _read("<main><p class=k>Boats.</p></main>", f"<style>{sheet}</style>")[-1] == "Boats."


def test_a_sheet_for_paper_alone_hides_nothing() -> None:
    assert _read("<p>Boats.</p>", "<style media=print>p{display:none}</style>")[-1] == "Boats."


_SHEETS: Final[tuple[Callable[[int], str], ...]] = (
    lambda size: "".join(f".z{number} p{{display:none}}" for number in range(size)),
    lambda size: "div " * 80 + f"p{{{'display:none;' * size}}}",
    lambda size: "b c{x:y}" * (4 * size),
    lambda size: ("a," * 150 + "a{") * (size // 8),
    lambda size: "a{" * (12 * size),
    lambda size: "i b{opacity:0}" * (3 * size),
)


@pytest.mark.parametrize("sheet", _SHEETS)
def test_many_rules_and_many_elements_are_read_in_linear_time(sheet: Callable[[int], str]) -> None:
    def reading(size: int) -> Callable[[], list[str]]:
        body, head = "<div>" * 60 + "<p>Boats.</p>" * size, f"<style>{sheet(size)}</style>"
        return lambda: _read(body, head)

    assert growth_of_steps(reading, 400, 1_600) < MOST_GROWTH


@pytest.mark.parametrize(
    "body",
    [
        *("<div popover>SECRET</div>", "<datalist><option>SECRET</datalist>", "<noembed>SECRET</noembed>"),
        *("<progress>SECRET</progress>", "<meter>SECRET</meter>", "<font color=ffffff>SECRET</font>"),
        "<ruby><rp>SECRET</rp></ruby>",
    ],
)
def test_elements_without_visible_text_are_left_out(body: str) -> None:
    assert _read(body) == [_SEEN]
