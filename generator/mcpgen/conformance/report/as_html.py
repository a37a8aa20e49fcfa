"""Renders a report as one HTML page without external resources."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.conformance.model import Measurement, Report
from mcpgen.conformance.report.grouping import check_summaries, columns
from mcpgen.conformance.report.html import sections
from mcpgen.conformance.report.html.document import SECTIONS, html_document
from mcpgen.conformance.report.html.findings import findings_section
from mcpgen.conformance.report.html.markup import Child, Markup, element, fragment

LEFT, WIDTH, RIGHT = 190.0, 560.0, 150.0
ROW, BARS = 46.0, 26.0
"""Sizes of the drawing in SVG units."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A logarithmic scale of milliseconds between two powers of ten."""

    low: int
    high: int

    def at(self, milliseconds: float) -> float:
        """The x coordinate of a duration."""
        exponent = math.log10(max(milliseconds, 10.0**self.low))
        share = (exponent - self.low) / (self.high - self.low)
        return LEFT + WIDTH * min(1.0, max(0.0, share))


def latency(report: Report) -> Markup | None:
    """The plot and a table of the numbers; None without measurements."""
    measurements = report.measurements
    if not measurements:
        return None
    scale = _scale(measurements)
    height = ROW * len(measurements) + 34
    rows = [
        _measurement_row(measurement, number, scale)
        for number, measurement in enumerate(measurements)
    ]
    drawing = element(
        "svg",
        _axis(scale, height),
        rows,
        viewBox=f"0 0 {LEFT + WIDTH + RIGHT:.0f} {height:.0f}",
        role="img",
        aria_label="Histogram of the times of each kind of request; the table below has the numbers",
    )
    legend = (
        "Milliseconds on a logarithmic scale: bars are repetitions, the dot is the first request, "
        "the line the median."
    )
    return element(
        "section",
        element("h2", "Latency"),
        element("div", drawing, element("p", legend, class_="quiet"), class_="plot"),
        element(
            "details", element("summary", "As numbers"), _table(measurements), class_="numbers"
        ),
        id="latency",
    )


def _scale(measurements: tuple[Measurement, ...]) -> Scale:
    times = [
        time
        for measurement in measurements
        for time in (measurement.cold, measurement.min, measurement.max)
        if time > 0
    ] or [1.0]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    return Scale(low, max(high, low + 1))


def _axis(scale: Scale, height: float) -> list[Markup]:
    shapes = []
    for exponent in range(scale.low, scale.high + 1):
        x = f"{scale.at(10.0**exponent):.1f}"
        shapes.append(element("line", x1=x, x2=x, y1=6, y2=f"{height - 24:.0f}"))
        label = f"{10.0**exponent:g} ms" if exponent < 3 else f"{10.0 ** (exponent - 3):g} s"
        shapes.append(
            element("text", label, x=x, y=f"{height - 8:.0f}", text_anchor="middle", class_="axis")
        )
    return shapes


def _measurement_row(measurement: Measurement, number: int, scale: Scale) -> list[Markup]:
    top = 10 + ROW * number
    base = top + BARS + 6
    peak = max((count for _, count in measurement.buckets), default=0) or 1
    shapes = [element("text", measurement.name, x=0, y=f"{base - 12:.1f}")]
    shapes.append(element("text", measurement.revision, x=0, y=f"{base + 2:.1f}", class_="axis"))
    below = 10.0**scale.low
    for bound, count in measurement.buckets:
        start, end = scale.at(below), scale.at(min(bound, 10.0**scale.high))
        tall = BARS * count / peak
        if count:
            shapes.append(_shape(start, base - tall, max(end - start - 1, 2), tall, "box"))
        below = bound
    middle = f"{scale.at(measurement.p50):.1f}"
    shapes.append(
        element("line", x1=middle, x2=middle, y1=f"{top:.1f}", y2=f"{base:.1f}", class_="median")
    )
    shapes.append(element("circle", cx=f"{scale.at(measurement.cold):.1f}", cy=f"{base:.1f}", r=4))
    label = f"{_ms(measurement.p50)} / {_ms(measurement.p95)} ms"
    return [*shapes, element("text", label, x=f"{LEFT + WIDTH + 14:.0f}", y=f"{base - 6:.1f}")]


def _shape(x: float, y: float, width: float, height: float, name: str) -> Markup:
    return element(
        "rect",
        x=f"{x:.1f}",
        y=f"{y:.1f}",
        width=f"{width:.1f}",
        height=f"{height:.1f}",
        class_=name,
    )


def _table(measurements: tuple[Measurement, ...]) -> Markup:
    heads = ("Request", "Revision", "First", "Median", "95 %", "Slowest", "Repeated")
    rows = [
        element(
            "tr",
            element("th", element("code", measurement.name), scope="row"),
            element("td", measurement.revision),
            [
                element("td", f"{_ms(time)} ms")
                for time in (measurement.cold, measurement.p50, measurement.p95, measurement.max)
            ],
            element("td", measurement.count),
        )
        for measurement in measurements
    ]
    return element(
        "table",
        element("caption", "Times of each kind of request", class_="spoken"),
        element("thead", element("tr", [element("th", head, scope="col") for head in heads])),
        element("tbody", rows),
    )


def _ms(time: float) -> str:
    return f"{time:.1f}" if time < 100 else f"{time:,.0f}"


NOTHING: Mapping[str, Child] = {}
"""No further sections."""


def as_html(report: Report, other_sections: Mapping[str, Child] = NOTHING) -> str:
    """The page: verdict, profiles, findings, matrix of checks and profiles, tools, latency.

    `other_sections` are further sections by their id in SECTIONS. The page works without script and
    network. Text of the server is escaped. Equal reports give equal bytes.
    """
    summaries, profiles = check_summaries(report), columns(report)
    verdict = "failed" if report.failed else "passed"
    footer = fragment(
        "Made by ",
        element("code", "mcpgen check"),
        ". What a check means is also told by ",
        element("code", "mcpgen explain ID"),
        ".",
    )
    parts: Mapping[str, Child] = {
        "changes": sections.changes_section(report.comparison),
        "profiles": sections.profiles_section(profiles),
        "findings": findings_section(report, summaries),
        "matrix": sections.matrix(summaries, profiles),
        "tools": sections.tools_section(report),
        "latency": latency(report),
        **other_sections,
    }
    ordered = {id: parts[id] for id in SECTIONS if id in parts}
    header = fragment(sections.overview_section(report, summaries), sections.notes(report))
    return html_document(f"{report.target} {verdict}: MCP conformance", header, ordered, footer)
