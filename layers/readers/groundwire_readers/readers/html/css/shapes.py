"""Detection of CSS transforms, clips, filters and masks that make an element invisible."""

import re
from collections.abc import Mapping
from typing import Final

from groundwire_readers.readers.html.css.lengths import pixels_of

_FUNCTION: Final = re.compile(r"([a-z3]{1,20})\(([^()]{0,200})\)")
_INVISIBLE_SHARE: Final = 0.05
_OFF_PAGE_PIXELS: Final = 1000.0
"""Translation in pixels from which an element is off the page."""
_ELEMENT_PIXELS: Final = 100.0
"""Assumed size of an element in pixels: moved by its own size, it is usually still on the page."""
_GRADIENT: Final = re.compile(r"[a-z-]{0,30}gradient\(([^()]*)\)")
_RIGHT_ANGLES: Final = ("90deg", "-90deg", "270deg", "0.25turn", ".25turn", "100grad")
_MAX_BLUR_RADIUS: Final = 10.0
"""Radius in pixels from which letters cannot be read."""
_SIDES: Final = 4


def is_made_invisible(style: Mapping[str, str]) -> bool:
    """Return whether a style moves, shrinks, clips or fades an element until it is invisible."""
    return (
        any(_is_transformed_away(name, arguments) for name, arguments in _transformations(style))
        or any(_is_clipped(name, arguments) for name, arguments in _calls(style, "clip", "clip-path"))
        or any(_fades(name, arguments) for name, arguments in _calls(style, "filter"))
        or any(_is_empty_mask(style.get(name, "")) for name in ("mask", "mask-image"))
    )


def _is_empty_mask(value: str) -> bool:
    """Return whether all colours of a gradient are transparent; a direction may precede them."""
    found = _GRADIENT.fullmatch(value)
    parts = [part.strip() for part in found[1].split(",")] if found else []
    colours = parts if parts and parts[0].startswith("transparent") else parts[1:]
    return bool(colours) and all(part.startswith("transparent") for part in colours)


def _calls(style: Mapping[str, str], *names: str) -> list[tuple[str, list[str]]]:
    """Return the function calls in the values of these properties, with their arguments."""
    return [(name, _arguments(text)) for each in names for name, text in _FUNCTION.findall(style.get(each, ""))]


def _transformations(style: Mapping[str, str]) -> list[tuple[str, list[str]]]:
    own = [(name, _arguments(style[name])) for name in ("scale", "translate", "rotate") if style.get(name)]
    return own + _calls(style, "transform")


def _arguments(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _is_transformed_away(name: str, arguments: list[str]) -> bool:
    lengths = [pixels_of(each, _ELEMENT_PIXELS) for each in arguments]
    if name.startswith("translate"):
        return any(length is not None and abs(length) >= _OFF_PAGE_PIXELS for length in lengths)
    if name.startswith("scale") and name != "scalez":
        scales = [pixels_of(each, 1) for each in arguments[:2]]
        return any(scale is not None and abs(scale) < _INVISIBLE_SHARE for scale in scales)
    if name == "matrix" and len(lengths) >= _SIDES:
        first, second, third, fourth = (length or 0.0 for length in lengths[:_SIDES])
        # The determinant of a matrix is the factor by which it changes areas.
        return abs(first * fourth - second * third) < _INVISIBLE_SHARE**2
    # Rotated by 90 degrees about the x or y axis, an element shows only its edge.
    is_rotation = name in ("rotatex", "rotatey") or (name == "rotate" and arguments[:1] in (["x"], ["y"]))
    return is_rotation and bool(arguments) and arguments[-1] in _RIGHT_ANGLES


def _is_clipped(name: str, arguments: list[str]) -> bool:
    sizes = [pixels_of(each, 100) for each in arguments if each != "round"]
    match name, sizes:
        # CSS 2.2, 11.1.2: all four are distances from the top left corner, unlike those of `inset`.
        case "rect", [top, right, bottom, left]:
            is_flat = top is not None and bottom is not None and bottom - top < 1
            return is_flat or (left is not None and right is not None and right - left < 1)
        case "inset", [_, *_]:
            return any(_sides_meet(sizes, one) for one in (0, 1)) and all(map(_is_share, arguments))
        case (("circle" | "ellipse"), [*radii]):
            return any(radius is not None and radius < 1 for radius in _until_at(arguments, radii))
        case "polygon", [*points]:
            return len(set(points[0::2])) <= 1 or len(set(points[1::2])) <= 1
        case "xywh", [_, _, width, height, *_]:
            return any(size is not None and size < 1 for size in (width, height))
        case _:
            return False


def _sides_meet(sizes: list[float | None], side: int) -> bool:
    """Return whether two opposite sides of an inset meet: top and bottom (0), or left and right (1)."""
    sides = sizes[:_SIDES]
    first = sides[side] if side < len(sides) else sides[0]
    second = sides[side + 2] if side + 2 < len(sides) else first
    return first is not None and second is not None and first + second >= 100  # noqa: PLR2004


def _is_share(argument: str) -> bool:
    return argument.endswith("%") or argument in ("0", "0px")


def _until_at(arguments: list[str], radii: list[float | None]) -> list[float | None]:
    return radii[: arguments.index("at")] if "at" in arguments else radii


def _fades(name: str, arguments: list[str]) -> bool:
    amount = pixels_of(arguments[0], 1) if arguments else None
    if name == "blur":
        return amount is not None and amount >= _MAX_BLUR_RADIUS
    return name in ("opacity", "contrast") and amount is not None and amount < _INVISIBLE_SHARE
