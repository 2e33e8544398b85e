"""Draws a game tree as SVG: a node per row, indented below what it follows, so that it is legible on a narrow page too."""

from __future__ import annotations

from html import escape

from pomgcheck.reporting.blocks import Branch, Tree, walk

ROW, INDENT, LETTER = 24, 20, 7.8  # height of a row, its step to the right, width of a letter
MARKS = {
    "chance": '<circle cx="{x}" cy="{y}" r="4.5"/>',
    "learner": '<path d="M{x} {y}m-5 -5h10v10h-10z"/>',
    "adversary": '<path d="M{x} {y}m-6 0l6 -6l6 6l-6 6z"/>',
}


def svg(tree: Tree) -> str:
    """Return the drawing: circles are chance, squares the learner, diamonds the adversary; its ink is the page's."""
    nodes = list(walk(tree.branches))
    left = max(INDENT * depth + LETTER * len(node.words) for depth, node in nodes) + 32
    rows = [node.chances for _, node in nodes if node.chances]
    sizes = [LETTER * max(map(len, column)) + 28 for column in zip(*rows, strict=True)]
    places = [left + sum(sizes[:k]) for k in range(len(sizes))]
    top = ROW * (len(tree.columns) + 1)  # below what the letters stand for, and the letters
    width = max(left + sum(sizes) + 16, *(LETTER * (len(what) + 5) for _, what in tree.columns))
    height = top + ROW * len(nodes) + 6
    out = [
        f'<text x="4" y="{ROW * k + 16}"><tspan class="head">{letter}</tspan> {escape(what)}</text>'
        for k, (letter, what) in enumerate(tree.columns)
    ]
    out += [
        f'<text class="head" x="{x:.0f}" y="{top - 8}">{letter}</text>'
        for x, (letter, _) in zip(places, tree.columns, strict=True)
    ]
    parents: list[float] = []  # where the node above stands, at each depth
    for k, (depth, node) in enumerate(nodes):
        x, y = 12 + INDENT * depth, top + ROW * k + ROW / 2
        parents[depth:] = [y]
        if depth and node.mover:
            out.append(f'<path class="edge" d="M{x - INDENT} {parents[depth - 1] + 7}V{y}H{x - 7}"/>')
        out.append(row(node, x, y, places))
    words = escape("; ".join(" ".join(line.split()) for line in tree.lines if line), quote=False)
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    return (
        f'<svg role="img" class="tree" {size}>'
        f"<title>{escape(tree.description, quote=False)}</title><desc>{words}</desc>{''.join(out)}</svg>"
    )


def row(node: Branch, x: float, y: float, places: list[float]) -> str:
    """Return one node: its mark, its words, its probabilities."""
    mark = MARKS[node.mover].format(x=x, y=y) if node.mover else ""
    words = f'<text x="{x + 12 if mark else 4}" y="{y + 5}">{escape(node.words)}</text>'
    chances = "".join(
        f'<text x="{place:.0f}" y="{y + 5}">{chance}</text>'
        for place, chance in zip(places, node.chances, strict=False)
    )
    apart = f'<text x="{places[-1] - 20:.0f}" y="{y + 5}">≠</text>' if node.differs else ""
    kind = "differs" if node.differs else "head" if not node.mover else ""
    return f'<g class="{kind}">{mark}{words}{chances}{apart}</g>' if kind else mark + words + chances
