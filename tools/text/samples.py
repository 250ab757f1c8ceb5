"""One sample of everything that can be drawn, for the gallery."""

from __future__ import annotations

from typing import NamedTuple

from chardesk.tools.text.diagram_samples import DIAGRAMS


class Sample(NamedTuple):
    """`format` is one of canvas_render's; `width` the wrap column."""

    title: str
    format: str
    source: str
    width: int = 72


def _fence(language: str, source: str) -> str:
    return f"```{language}\n{source.strip(chr(10))}\n```"


SAMPLES = (
    Sample(
        "Text, lists, alerts",
        "markdown",
        """
## Release plan
Text *wraps* by columns, `code` is tinted, H<sub>2</sub>O has its own digits[^1].
中文在任何地方换行，但不在标点之前。

> [!WARNING]
> Freeze on Friday.

- [x] write
- [ ] ship
    1. tag
    2. announce

Term
: what it means

[^1]: A footnote.
""",
        44,
    ),
    Sample(
        "Tables and code",
        "markdown",
        """
| Name | 数量 | Price |
|:-----|:---:|------:|
| Tea  | 二 | 4.20 |
| A pot of the very best coffee | 一 | 12.00 |

```python
def area(r: float) -> float:
    return 3.14 * r ** 2  # roughly
```

```diff
-old line
+new line
```
""",
        36,
    ),
    Sample("Side by side", "markdown", "## Left\none two\n|||\n## Right\n- a\n- b\n---\nbelow", 40),
    Sample(
        "Shapes",
        "shapes",
        """[
{"type": "box", "id": "web", "rect": [0, 0, 14, 3], "text": "Browser", "border": "round"},
{"type": "box", "id": "api", "rect": [26, 0, 14, 3], "text": "API", "title": "世界", "border": "double"},
{"type": "box", "id": "db", "rect": [26, 8, 14, 3], "text": "Store", "border": "heavy"},
{"type": "box", "id": "log", "rect": [46, 4, 12, 3], "text": "Log"},
{"type": "arrow", "from": "web", "to": "api", "label": "asks"},
{"type": "arrow", "from": "api", "to": "db", "heads": "both"},
{"type": "arrow", "from": "api", "to": "log", "label": "tells"},
{"type": "line", "from": "web", "to": "db"},
{"type": "table", "at": [0, 6], "rows": [["key", "n"], ["a", 1], ["世", 22]]}
]""",
    ),
    *(Sample(title, "markdown", _fence("mermaid", source), width) for title, width, source in DIAGRAMS),
    Sample(
        "Bars",
        "markdown",
        _fence(
            "vega-lite",
            '{"title": "Commits", "mark": "bar", "data": {"values": [{"day": "Mo", "n": 12}, '
            '{"day": "Tu", "n": 19}, '
            '{"day": "We", "n": 7}]}, '
            '"encoding": {"x": {"field": "day", "title": null}, "y": {"field": "n"}}}',
        ),
        40,
    ),
    Sample(
        "Stacked bars to the right",
        "markdown",
        _fence(
            "vega-lite",
            '{"mark": "bar", "data": {"values": [{"k": "東京", "n": 5, "s": "a"}, '
            '{"k": "東京", "n": 3, "s": "b"}, '
            '{"k": "Rome", "n": 2, "s": "a"}, {"k": "Rome", "n": 4, "s": "b"}]}, '
            '"encoding": {"y": {"field": "k", '
            '"title": null}, "x": {"field": "n"}, "color": {"field": "s"}}}',
        ),
        48,
    ),
    Sample(
        "Line",
        "markdown",
        _fence(
            "vega-lite",
            '{"mark": "line", "data": {"values": ['
            + ", ".join(f'{{"x": {x}, "y": {(x * x * 7) % 23}}}' for x in range(12))
            + ']}, "encoding": {"x": {"field": "x"}, "y": {"field": "y"}}}',
        ),
        50,
    ),
    Sample(
        "Sparkline",
        "markdown",
        _fence("vega-lite", '{"mark": "sparkline", "data": {"values": [1, 5, 2, 8, 3, 9, 4]}}'),
    ),
    Sample("Data", "table", "city,people (M)\n東京,14.0\nZürich,0.4\nRome,2.8"),
    Sample(
        "Mathematics",
        "markdown",
        "Euler: $e^{i\\pi} + 1 = 0$.\n\n"
        + _fence(
            "math",
            r"\sum_{k=1}^{n} \frac{1}{k^2} = \sqrt{\frac{\pi^4}{36}}, "
            r"\quad \begin{pmatrix} a & b \\ c & d \end{pmatrix}",
        ),
    ),
    Sample(
        "Trees",
        "markdown",
        _fence("tree", "src/main.py\nsrc/tools/draw.py  # draws\nREADME/x")
        + "\n\n"
        + _fence("json tree", '{"a": [1, true], "b": "世"}'),
    ),
    Sample("Terminal output", "ansi", "\x1b[32m✓\x1b[0m 12 passed\n\x1b[31m✗\x1b[0m  1 failed\n10%\r100%"),
)

PAINTED = frozenset(
    {"Text, lists, alerts", "Tables and code", "Flowchart", "Stacked bars to the right", "Shapes"}
)
"""Titles of the samples that the gallery shows as images too: those where colour says something."""
