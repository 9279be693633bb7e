"""The reliability diagram as SVG: how often passages of a relevance answer."""

from collections.abc import Mapping, Sequence
from typing import Final

Bins = Sequence[tuple[float, float, int]]
"""Mean relevance, share that answers, number of passages."""

_SIZE: Final = 320
_LEFT: Final = 50
_TOP: Final = 20
_FONT: Final = 'font-family="sans-serif" font-size="12"'
_COLOURS: Final = ("#0b5563", "#c0562f", "#5a7d2a", "#7a4b9d", "#8a6d1f", "#444444")


def reliability_svg(series: Mapping[str, Bins]) -> str:
    """Return the diagram of several collections; on the diagonal, relevance equals the share of answers."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 {_SIZE + 70}" {_FONT}>',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<rect x="{_LEFT}" y="{_TOP}" width="{_SIZE}" height="{_SIZE}" fill="none" stroke="#999"/>',
        f'<path d="M{_x(0)} {_y(0)}L{_x(1)} {_y(1)}" stroke="#999" stroke-dasharray="4"/>',
        f'<text x="{_x(0.5)}" y="{_SIZE + 60}" text-anchor="middle">relevance</text>',
        f'<text x="14" y="{_y(0.5)}" transform="rotate(-90 14 {_y(0.5)})" text-anchor="middle">answers</text>',
    ]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(f'<text x="{_x(tick)}" y="{_SIZE + 38}" text-anchor="middle">{tick:g}</text>')
        parts.append(f'<text x="{_LEFT - 8}" y="{_y(tick) + 4}" text-anchor="end">{tick:g}</text>')
    for number, (name, bins) in enumerate(series.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        points = [(f"{_x(mean):.1f}", f"{_y(share):.1f}") for mean, share, _ in bins]
        line = "L".join(f"{x} {y}" for x, y in points)
        parts.append(f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in points]
        parts.append(f'<text x="{_LEFT + _SIZE + 16}" y="{_TOP + 14 + 20 * number}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _x(value: float) -> float:
    return _LEFT + value * _SIZE


def _y(value: float) -> float:
    return _TOP + (1 - value) * _SIZE
