# SPDX-License-Identifier: Apache-2.0
"""Pictures of a comparison, as SVG: one for each operation, and one that shows all ratios at a glance."""

import math

COLOURS = {"cohort": "#0072b2", "openmpi": "#d55e00", "mpich": "#009e73", "sockets-spin": "#8c2f39",
           "sockets-block": "#c99700", "ring": "#8c2f39"}
STYLE = """text{font-family:'Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#222}
.t{font-size:18px;font-weight:700}.u{font-size:12px;fill:#555}.a{font-size:11px;fill:#666}.h{font-size:13px;font-weight:700}
.n{font-size:11px;font-weight:700}.e{text-anchor:end}.m{text-anchor:middle}.g{stroke:#e6e8ea}.f{fill:none;stroke:#c9ced4}
.y{fill:none;stroke-linejoin:round}.b{stroke:#555;stroke-width:1.4;stroke-dasharray:6 4;fill:none}.c{font-size:11.5px}
"""
PANEL_WIDTH, PANEL_HEIGHT, LEFT, TOP, GAP = 400, 330, 70, 112, 84


def escaped(text):
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def text(x, y, what, kind, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}"{more}>{escaped(what)}</text>'


def document(width, height, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}">\n<style>{STYLE}</style>\n'
            f'<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n")


def bytes_text(size):
    for unit, factor in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if size >= factor:
            return f"{size / factor:g} {unit}"
    return f"{size:g} B"


def time_text(us):
    for unit, factor in (("s", 1e6), ("ms", 1e3)):
        if us >= factor:
            return f"{us / factor:g} {unit}"
    return f"{us:g} µs"


def ratio_text(ratio):
    return f"{ratio:g} ×"


class Panel:
    """One coordinate system, logarithmic both ways. A series is a list of (size, value)."""

    def __init__(self, place, title, series, value_text, line=None):
        self.left = LEFT + place * (PANEL_WIDTH + GAP)
        self.title = title
        self.series = {name: points for name, points in series.items() if points}
        self.line = line  # name and points, drawn dashed
        self.value_text = value_text
        every = [point for points in [*self.series.values(), *([line[1]] if line else [])] for point in points]
        self.sizes = sorted({size for size, _ in every})
        low, high = min(value for _, value in every), max(value for _, value in every)
        air = max(0.05 * math.log(high / low), 0.08)
        self.low, self.high = math.log(low) - air, math.log(high) + air

    def x(self, size):
        first, last = math.log(self.sizes[0]), math.log(self.sizes[-1])
        return self.left + (PANEL_WIDTH * (math.log(size) - first) / (last - first) if last > first else PANEL_WIDTH / 2)

    def y(self, value):
        return TOP + PANEL_HEIGHT * (self.high - math.log(value)) / (self.high - self.low)

    def draw(self):
        parts = [text(self.left, TOP - 14, self.title, "h")]
        parts += self.grid()
        parts.append(f'<rect x="{self.left}" y="{TOP}" width="{PANEL_WIDTH}" height="{PANEL_HEIGHT}" class="f"/>')
        if self.line:
            parts.append(self.path(self.line[1], 'class="b"'))
        for name, points in self.series.items():
            colour, width = COLOURS.get(name, "#3b2a8c"), 2.8 if name == "cohort" else 1.8
            parts.append(self.path(points, f'class="y" stroke="{colour}" stroke-width="{width}"'))
            parts += [f'<circle cx="{self.x(size):.1f}" cy="{self.y(value):.1f}" r="{width + .4}" fill="{colour}"/>'
                      for size, value in points]
        return parts

    def path(self, points, look):
        where = " ".join(f"{self.x(size):.1f},{self.y(value):.1f}" for size, value in points)
        return f'<polyline points="{where}" {look}/>'

    def grid(self):
        parts = []
        every = max(1, math.ceil(len(self.sizes) / 7))
        for size in self.sizes[::every]:
            parts.append(f'<line x1="{self.x(size):.1f}" x2="{self.x(size):.1f}" y1="{TOP}" y2="{TOP + PANEL_HEIGHT}" class="g"/>')
            parts.append(text(self.x(size), TOP + PANEL_HEIGHT + 18, bytes_text(size), "a m"))
        for value in ticks(math.exp(self.low), math.exp(self.high)):
            y = self.y(value)
            parts.append(f'<line x1="{self.left}" x2="{self.left + PANEL_WIDTH}" y1="{y:.1f}" y2="{y:.1f}" class="g"/>')
            parts.append(text(self.left - 8, y + 4, self.value_text(value), "a e"))
        return parts


def ticks(low, high):
    """Round values between the two: the fewer, the more decades."""
    decades = math.log10(high / low)
    factors = (1,) if decades > 3 else (1, 2, 5) if decades > 0.7 else (1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.7, 2, 2.5, 3, 4, 5, 6, 7, 8, 9)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [factor * 10.0**power for power in powers for factor in factors if low <= factor * 10.0**power <= high]


def legend(names, line):
    parts, x = [], LEFT
    for name in names:
        parts.append(f'<line x1="{x}" x2="{x + 22}" y1="62" y2="62" stroke="{COLOURS.get(name, "#3b2a8c")}" stroke-width="3"/>')
        parts.append(text(x + 28, 66, name, "n"))
        x += 28 + 8 * len(name) + 26
    if line:
        parts.append(f'<line x1="{x}" x2="{x + 22}" y1="62" y2="62" class="b"/>')
        parts.append(text(x + 28, 66, line, "n"))
    return parts


def operation_picture(operation, place, times, bounds):
    """`times`: {contestant: [(size, us)]}; `bounds`: [(size, us)] of the sizes for which the links set the time."""
    ours = dict(times.get("cohort", []))
    panels = [Panel(0, "time, the median", times, time_text, ("bound", bounds) if bounds else None)]
    others = {name: [(size, us / ours[size]) for size, us in points if size in ours]
              for name, points in times.items() if name != "cohort"}
    if any(others.values()):
        level = [(size, 1) for size in (min(ours), max(ours))]
        panels.append(Panel(len(panels), "times cohort's: above 1, cohort is faster", others, ratio_text, ("", level)))
    least = dict(bounds)
    beyond = {name: [(size, us / least[size]) for size, us in points if size in least] for name, points in times.items()}
    if any(beyond.values()):
        level = [(size, 1) for size in (min(least), max(least))]
        panels.append(Panel(len(panels), "times the bound", beyond, ratio_text, ("", level)))
    parts = [text(LEFT, 30, operation, "t"), text(LEFT, 47, place, "u"), *legend([name for name in times if times[name]], "bound" if bounds else None)]
    for panel in panels:
        parts += panel.draw()
    width = LEFT + len(panels) * (PANEL_WIDTH + GAP) - GAP + 36
    return document(width, TOP + PANEL_HEIGHT + 40, parts)


def shade(ratio):
    """Blue below 1, orange above: white at 1, full at 4 times."""
    strength = min(abs(math.log(ratio)) / math.log(4), 1)
    full = (0, 114, 178) if ratio < 1 else (213, 94, 0)
    return "#" + "".join(f"{round(255 + (channel - 255) * strength * 0.85):02x}" for channel in full), strength > 0.8


def ratio_picture(title, ratios):
    """Of three lines of title, and {operation: {size: ratio}}: below 1 is better."""
    sizes = sorted({size for row in ratios.values() for size in row})
    cell_width, cell_height, left, top = 62, 27, 178, 104
    parts = [text(24, 32 + 19 * line, what, "u" if line else "t") for line, what in enumerate(title)]
    for column, size in enumerate(sizes):
        parts.append(text(left + (column + .5) * cell_width, top - 9, bytes_text(size) if size else "-", "a m"))
    for line, (operation, row) in enumerate(ratios.items()):
        y = top + line * cell_height
        parts.append(text(left - 12, y + 18, operation, "c e"))
        for column, size in enumerate(sizes):
            if size not in row:
                continue
            colour, dark = shade(row[size])
            x = left + column * cell_width
            parts.append(f'<rect x="{x + 1}" y="{y + 1}" width="{cell_width - 2}" height="{cell_height - 2}" rx="3" fill="{colour}"/>')
            parts.append(text(x + cell_width / 2, y + 18, f"{row[size]:.2f}", "c m", ' style="fill:#fff"' if dark else ""))
    return document(left + len(sizes) * cell_width + 28, top + len(ratios) * cell_height + 24, parts)
