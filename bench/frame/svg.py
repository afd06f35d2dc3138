# SPDX-License-Identifier: Apache-2.0
"""Small plots, written by hand: bars and lines, in colours that can be read on light and on dark pages."""

import html
import math

HUES = 6
LIGHT, DARK = (["#0969da", "#1a7f37", "#8250df", "#bc4c00", "#0e7490", "#bf3989"],
               ["#4493f8", "#3fb950", "#ab7df8", "#f0883e", "#39c5cf", "#f778ba"])


def hues(colours):
    return " ".join(f".hue{i} {{ fill: {c}; stroke: {c}; }}" for i, c in enumerate(colours))


STYLE = f"""<style>
text {{ font: 12px system-ui, sans-serif; fill: #24292f; }}
.title {{ font-weight: 600; font-size: 13px; }} .faint {{ fill: #57606a; font-size: 11px; }}
.axis {{ stroke: #8c959f; stroke-width: 1; fill: none; }} .grid {{ stroke: #d0d7de; stroke-width: 0.5; }}
.ours {{ fill: #0969da; stroke: #0969da; }} .peer {{ fill: #8c959f; stroke: #8c959f; }} .floor {{ fill: #bf8700; stroke: #bf8700; }}
.met {{ fill: #1a7f37; stroke: #1a7f37; }} .missed {{ fill: #cf222e; stroke: #cf222e; }}
{hues(LIGHT)}
.line {{ fill: none; stroke-width: 1.8; }} .dashed {{ stroke-dasharray: 4 3; }}
@media (prefers-color-scheme: dark) {{
text {{ fill: #e6edf3; }} .faint {{ fill: #9198a1; }} .axis {{ stroke: #656c76; }} .grid {{ stroke: #3d444d; }}
.ours {{ fill: #4493f8; stroke: #4493f8; }} .peer {{ fill: #9198a1; stroke: #9198a1; }} .floor {{ fill: #d29922; stroke: #d29922; }}
.met {{ fill: #3fb950; stroke: #3fb950; }} .missed {{ fill: #f85149; stroke: #f85149; }}
{hues(DARK)} }}
</style>"""


def page(width, height, title, body):
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
            "<!-- SPDX-License-Identifier: Apache-2.0; made by ./dev bench -->",
            f"<title>{html.escape(title)}</title>", STYLE, text(8, 18, title, "title")]
    return "\n".join([*head, *body, "</svg>"]) + "\n"


def text(x, y, words, kind="", anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{html.escape(str(words))}</text>'


def line(x1, y1, x2, y2, kind):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def bars(title, rows, mark=None, log=False):
    """rows: (label, value, kind, words). `mark` is a value with a line through all of them: (value, words)."""
    label, width, step, top = 290, 720, 22, 34
    plot = width - label - 110
    values = [value for _, value, _, _ in rows] + ([mark[0]] if mark else [])
    low, high = (min(values) / 1.5, max(values) * 1.2) if log else (0, max(values) * 1.05 or 1)

    def at(value):
        if log:
            return label + plot * math.log(max(value, low) / low) / math.log(high / low)
        return label + plot * value / high

    body = []
    for i, (name, value, kind, words) in enumerate(rows):
        y = top + i * step
        body.append(text(label - 8, y + 12, name, anchor="end"))
        body.append(f'<rect x="{label}" y="{y + 2}" width="{max(at(value) - label, 1):.1f}" height="13" class="{kind}"/>')
        body.append(text(at(value) + 5, y + 12, words, "faint"))
    bottom = top + len(rows) * step
    body.append(line(label, top - 4, label, bottom, "axis"))
    if mark:
        body.append(line(at(mark[0]), top - 4, at(mark[0]), bottom, "axis dashed"))
        body.append(text(at(mark[0]), bottom + 14, mark[1], "faint", "middle"))
    return page(width, bottom + 22, title, body)


def lines(title, series, across, up, tick_x, tick_y):
    """Both axes logarithmic. series: (name, kind, [(x, y)…]); kind may hold `dashed`. tick_*: a number as words."""
    left, right, top, width, height = 66, 250, 34, 720, 330
    plot_x, plot_y = width - left - right, height - top - 46
    xs = [x for _, _, points in series for x, _ in points]
    ys = [y for _, _, points in series for _, y in points]
    low_x, high_x = min(xs), max(xs) if max(xs) > min(xs) else min(xs) * 10
    low_y, high_y = 10 ** math.floor(math.log10(min(ys))), 10 ** math.ceil(math.log10(max(ys) * 1.0001))

    def at(x, y):
        return (left + plot_x * math.log(x / low_x) / math.log(high_x / low_x),
                top + plot_y * (1 - math.log(y / low_y) / math.log(high_y / low_y)))

    body = []
    power = low_y
    while power <= high_y * 1.001:
        _, y = at(low_x, power)
        body += [line(left, y, left + plot_x, y, "grid"), text(left - 6, y + 4, tick_y(power), "faint", "end")]
        power *= 10
    for x in sorted(set(xs)):
        body.append(text(at(x, low_y)[0], top + plot_y + 16, tick_x(x), "faint", "middle"))
    body.append(f'<polyline points="{left},{top} {left},{top + plot_y} {left + plot_x},{top + plot_y}" class="axis"/>')
    body.append(text(left + plot_x / 2, height - 8, across, "faint", "middle"))
    body.append(text(left + 6, top + 8, up, "faint"))
    ends = []
    for name, kind, points in series:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in points))
        body.append(f'<polyline points="{path}" class="line {kind}" style="fill:none"/>')
        ends.append([at(*points[-1])[1], name, kind.split()[0]])
    place = -math.inf
    for y, name, kind in sorted(ends):
        place = max(y + 4, place + 14)
        body.append(f'<circle cx="{left + plot_x + 8}" cy="{place - 4:.1f}" r="3" class="{kind}"/>')
        body.append(text(left + plot_x + 16, place, name))
    return page(width, max(height, int(place) + 12), title, body)
