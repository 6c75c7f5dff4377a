"""Plots as SVG, which browsers draw with their own letters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

Points = Sequence[tuple[float, float]]

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 560, 300, 60, 40, 30
_COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#e377c2", "#17becf")


def plot(
    title: str,
    axes: tuple[str, str],
    series: Sequence[tuple[str, Points]],
    *,
    marks: Sequence[tuple[float, str]] = (),
    bounds: tuple[float, float] | None = None,
) -> str:
    """Lines over x, with horizontal ``marks``; ``bounds`` are those of y where they do not follow from it."""
    xs = [x for _, points in series for x, _ in points] or [0.0, 1.0]
    ys = [y for _, points in series for _, y in points] + [y for y, _ in marks]
    left, right = min(xs), max(max(xs), min(xs) + 1)
    low, high = bounds or (min(ys, default=0.0), max(ys, default=1.0))
    high = high if high > low else low + 1

    def place(x: float, y: float) -> tuple[float, float]:
        across, up = (x - left) / (right - left), (min(max(y, low), high) - low) / (high - low)
        return _LEFT + across * (_WIDTH - _LEFT - 10), _HEIGHT - _BOTTOM - up * (_HEIGHT - _BOTTOM - _TOP)

    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" font-size="11" font-family="sans-serif" fill="#222"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>']
    parts.append(f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>')
    parts.append(_text(_WIDTH / 2, 16, title, "middle"))
    parts.append(_text(_WIDTH / 2, _HEIGHT - 6, axes[0], "middle"))
    parts.append(f'<g transform="translate(12 {_HEIGHT / 2}) rotate(-90)">{_text(0, 0, axes[1], "middle")}</g>')
    for value in _ticks(low, high):
        _, y = place(left, value)
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - 10}" stroke="#ddd"/>')
        parts.append(_text(_LEFT - 6, y + 4, f"{value:g}", "end"))
    for value in _ticks(left, right):
        x, y = place(value, low)
        parts.append(_text(x, y + 14, f"{value:g}", "middle"))
    for value, label in marks:
        _, y = place(left, value)
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - 10}" stroke="#888" stroke-dasharray="4 3"/>')
        parts.append(_text(_LEFT + 4, y - 3, label, "start"))
    for index, (label, points) in enumerate(series):
        colour = _COLOURS[index % len(_COLOURS)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        if label:
            parts.append(f'<g fill="{colour}">{_text(_WIDTH - 14, _TOP + 10 + 14 * index, label, "end")}</g>')
    return "\n".join([*parts, "</svg>"])


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _ticks(low: float, high: float) -> list[float]:
    """About five round numbers between two."""
    step = 10.0 ** math.floor(math.log10((high - low) / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= 6)
    return [round(n * step, 10) for n in range(math.ceil(low / step), math.floor(high / step) + 1)]
