# SPDX-License-Identifier: Apache-2.0
"""Figures as people read them."""


def digits(value):
    """Three digits that count, thousands apart by a thin blank's place."""
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}".replace(",", " ")
    if size >= 100:
        return f"{value:.0f}"
    if size >= 10:
        return f"{value:.1f}"
    if size >= 0.995:
        return f"{value:.2f}"
    return f"{value:.3g}"


def count(number):
    """10000 is 10 k."""
    for size, name in ((10**6, " M"), (1000, " k")):
        if number >= 10 * size or (number >= size and number % size == 0):
            return f"{number // size}{name}"
    return str(number)


SCALES = {"us": [(1e6, "s"), (1e3, "ms"), (1, "µs")], "/s": [(1, "/s")], "B": [(1048576, "MiB"), (1024, "KiB"), (1, "B")],
          "KiB": [(1048576, "GiB"), (1024, "MiB"), (1, "KiB")]}


def figure(value, unit):
    """`1234567 us` is 1.23 s."""
    if value is None:
        return "–"
    if unit == "jain":
        return f"{value:.4f}"
    for least, name in SCALES.get(unit, []):
        if abs(value) >= least or least == 1:
            text = digits(value / least)
            return text + (name if name == "/s" else f" {name}")
    return f"{digits(value)} {unit}" if unit else digits(value)


def ratio(value):
    return "–" if value is None else digits(value)


def target(data, unit):
    """"≤ 1.0 × flock f true: 1.06, missed"."""
    sign = "≤" if data["sign"] == "<=" else "≥"
    limit = digits(data["limit"]) if data["against"] else figure(data["limit"], unit)
    wanted = f"{sign} {limit}" + (f" × {data['against']}" if data["against"] else "")
    return wanted, verdict(data), (ratio(data["value"]) if data["against"] else figure(data["value"], unit))


def verdict(data):
    return "not measured" if data["met"] is None else "met" if data["met"] else "missed"
