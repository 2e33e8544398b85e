"""Writes blocks as LaTeX: a claim is a numbered statement with its proof."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pomgcheck.reporting.blocks import Block, Figure, Heading, Items, Listing, Paragraph, Table, Tree
from pomgcheck.reporting.render.latex_characters import formula, label, typed, written
from pomgcheck.reporting.render.latex_tables import MINUS, column, divided, fitted, lines, measured
from pomgcheck.reporting.render.markup import SPLIT
from pomgcheck.reporting.spans import Code, Inline, Label, Link, Math, Number, Page, Strong, Text, VerdictMark

# verdict -> the environment its claim is stated in
ENVIRONMENTS = {
    "proved": "proposition",
    "vacuous": "proposition",
    "declared": "assumption",
    "refuted": "refutedclaim",
    "unknown": "openclaim",
}
SETTLED = ("proved", "vacuous", "refuted")
SECTIONS = {  # level of a report's sections -> what headings of levels 2, 3 and 4 become
    1: ("section", "subsection", "paragraph"),
    2: ("subsection", "subsubsection", "paragraph"),
    3: ("subsubsection", "paragraph", "subparagraph"),
}
PANEL = 389.0  # the width of a drawing of one panel, in points
LONG = 14  # lines of a table that may break over pages
ROOM = "\\pomgcheckroom"  # begins a page where a heading and the first lines of its table have no room on this one


class Writer:
    """This writes blocks as LaTeX; ``prefix`` begins every label, ``stem`` the names of drawings, and sections are of a
    ``level``.

    Where tables are ``floats`` they stand over all columns of a page, and none breaks over two.
    """

    def __init__(self, prefix: str, stem: str, level: int = 1, floats: bool = False) -> None:
        self.prefix, self.stem, self.sections, self.floats = prefix, stem, SECTIONS[level], floats

    def inline(self, inline: Inline) -> str:
        """Return a sentence."""
        return re.sub(r"(?<=\d) s(?=[,.])", "~s", "".join(map(self.span, inline)))  # seconds stay with their number

    def span(self, span: object) -> str:
        """Return one span of a sentence."""
        match span:
            case Text(text):
                return written(MINUS.sub("−", text))
            case Strong(text):
                return f"\\textbf{{{written(text)}}}"
            case VerdictMark(word):
                return f"\\textbf{{{word}}}"
            case Code(text) | Page(text):
                return typed(text)
            case Label(text):
                return label(text)
            case Math():
                return f"${formula(span)}$"
            case Number():
                return number(span)
            case Link(text, anchor):
                return f"\\hyperref[{self.prefix}:{anchor}]{{{written(text)}}}"
        raise TypeError(span)

    # ------------------------------------------------------------------------------------- blocks

    def blocks(self, parts: Iterable[Block]) -> str:
        """Return the blocks in order; a claim's statement and its proof stand in environments."""
        out: list[str] = []
        ahead = list(parts)
        opened = ""  # the environment that is open
        shown = True  # whether what follows the claim shows or refutes it, and so ends with a box
        for k, part in enumerate(ahead):
            role = part.role if isinstance(part, Paragraph) else ""
            if opened and (isinstance(part, Heading) or role == "note" or (role == "proof" and opened != "proof")):
                out[-1] = closed(out[-1], opened)
                opened = ""
            following = ahead[k + 1] if k + 1 < len(ahead) else None
            if isinstance(part, Heading) and isinstance(following, Paragraph) and following.role == "claim":
                word = next(span.word for span in following.text if isinstance(span, VerdictMark))
                opened, shown = ENVIRONMENTS[word], word in SETTLED
                out.append(f"\\begin{{{opened}}}[{{{self.inline(part.text)}}}]{self.label(part)}")
            elif isinstance(part, Paragraph) and role == "proof":
                name, rest = proof_name(part.text)
                opened = "proof"
                box = "" if shown else "\\renewcommand{\\qedsymbol}{}"
                out.append(f"\\begin{{proof}}[{{{written(name)}}}]{box}\n{self.inline(rest)}".rstrip())
            else:
                heads = isinstance(part, Heading) and isinstance(following, Table) and not self.floats
                out.append((ROOM + "%\n" if heads else "") + self.block(part))
        return "\n\n".join([*out[:-1], closed(out[-1], opened)] if opened else out)

    def label(self, heading: Heading) -> str:
        """Return the label of a heading that has an anchor."""
        return f"\\label{{{self.prefix}:{heading.anchor}}}" if heading.anchor else ""

    def block(self, part: Block) -> str:
        """Return one block."""
        match part:
            case Heading(level, text):
                return f"\\{self.sections[max(level, 2) - 2]}{{{self.inline(text)}}}{self.label(part)}"
            case Paragraph(text, "note"):
                return f"{{\\footnotesize {self.inline(text)}\\par}}"
            case Paragraph(text):
                return self.inline(text)
            case Items(items, numbered):
                kind = "enumerate" if numbered else "itemize"
                lines = "\n".join(f"\\item {self.inline(item)}" for item in items)
                return f"\\begin{{{kind}}}\n{lines}\n\\end{{{kind}}}"
            case Table():
                return self.table(part)
            case Listing(shown):
                if isinstance(part, Tree):  # its columns stand by their blanks, which TeX would join
                    shown = tuple(line.replace(" ", "\xa0") for line in shown)
                return "\\begin{quote}\\raggedright\n" + "\\\\\n".join(map(typed, shown)) + "\n\\end{quote}"
            case Figure(svg, caption, _, name):
                return (
                    "\\par\\medskip\\begin{minipage}{\\linewidth}\\centering\n"
                    f"\\includegraphics[width={drawn_width(svg)}\\linewidth]{{{self.stem}.{name}.pdf}}\\\\[2pt]\n"
                    f"{{\\footnotesize {self.inline(caption)}\\par}}\n\\end{{minipage}}\\par\\medskip"
                )

    def table(self, table: Table) -> str:
        """Return a table between rules; one of many lines may break over pages."""
        size, room, columns = fitted(table)
        if columns is None:
            parts = divided(table)
            return "\n\n".join(map(self.table, parts)) if parts else self.stacked(table)
        head = " & ".join(f"\\textbf{{{written(name)}}}" for name in table.columns) + " \\\\"
        rows = [" & ".join(map(self.inline, row)) + " \\\\" for row in table.rows]
        spec = "".join(column(*each, room) for each in columns)
        length = sum(
            max(lines(measured(cell), width) for cell, (width, _) in zip(row, columns, strict=True))
            for row in table.rows
        )
        caption = f"\\textit{{{written(table.caption)}}}" if table.caption else ""
        body = "\n".join(rows)
        tabular = f"\\begin{{tabular}}{{@{{}}{spec}@{{}}}}\n\\toprule\n{head}\n\\midrule\n{body}\n\\bottomrule\n\\end{{tabular}}\n"
        if self.floats:
            captioned = f"\\caption{{{written(table.caption)}.}}\\medskip\n" if table.caption else ""
            return (
                f"\\begin{{table*}}[tbp]\\raggedright\\pomgcheck{size}\\setlength{{\\tabcolsep}}{{4pt}}\n"
                f"{captioned}{tabular}\\end{{table*}}"
            )
        if length > LONG:
            above = f"{ROOM}%\n\\noindent {caption}\\par\\nobreak\n" if caption else ""
            return (
                f"{above}{{\\pomgcheck{size}\\setlength{{\\LTpre}}{{4pt}}\\setlength{{\\LTpost}}{{6pt}}\\setlength{{\\tabcolsep}}{{4pt}}\n"
                f"\\begin{{longtable}}[l]{{@{{}}{spec}@{{}}}}\n"
                f"\\toprule\n{head}\n\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n{body}\n\\end{{longtable}}}}"
            )
        above = f"{caption}\\\\[3pt]\n" if caption else ""
        return (
            f"\\par\\medskip\\noindent\\begin{{minipage}}{{\\linewidth}}\\raggedright\n{above}\\pomgcheck{size}\\setlength{{\\tabcolsep}}{{4pt}}\n"
            f"{tabular}\\end{{minipage}}\\par\\medskip"
        )

    def stacked(self, table: Table) -> str:
        """Return a table too wide for the page, row by row."""
        items = []
        for row in table.rows:
            named = zip(table.columns[1:], row[1:], strict=True)
            rest = (f"{written(name)}: {self.inline(cell)}" for name, cell in named)
            items.append(f"\\item {self.inline(row[0])}. {'; '.join(rest)}")
        caption = f"\\textit{{{written(table.caption)}}}\n" if table.caption else ""
        return f"{caption}\\begin{{itemize}}\\footnotesize\n" + "\n".join(items) + "\n\\end{itemize}"


def drawn_width(svg: str) -> str:
    """Return the share of a line that a drawing takes: one panel less than two beside each other."""
    found = re.search(r'\bwidth="([\d.]+)', svg)
    return f"{min(1.0, float(found.group(1)) / PANEL * 0.7) if found else 0.7:.2f}"


def closed(last: str, environment: str) -> str:
    """Return the last block of an environment and its end; the box that ends a proof stays with a list or a short
    table."""
    if environment == "proof":
        last = re.sub(r"(\n\\end\{(?:itemize|enumerate)\})$", lambda m: "\\qedhere" + m.group(), last)
        last = re.sub(r"\n\\end\{minipage\}\\par\\medskip$", lambda m: "\\hfill\\qedhere" + m.group(), last)
    return f"{last}\n\\end{{{environment}}}"


def number(value: Number) -> str:
    """Return an exact number and its decimal."""
    exact = re.sub(r"log\((.*?)\)", r"\\log(\1)", value.exact.replace("…", "\\dots ").replace("−", "-"))
    exact, opening, digits = exact.partition(" (")
    if len(exact) > SPLIT:
        exact = exact.replace("/", "/\\allowbreak ")
    if opening:
        exact += f"\\ \\allowbreak \\text{{({digits}}}"
    if not value.relation:
        return f"${exact}$"
    mantissa, _, power = value.decimal.partition("e")
    decimal = f"{mantissa} \\cdot 10^{{{power}}}" if power else mantissa
    return f"${exact} {'=' if value.relation == '=' else chr(92) + 'approx'} {decimal}$"


def proof_name(text: Inline) -> tuple[str, Inline]:
    """Return the bold words that begin a proof, without their full stop, and the rest."""
    first, *rest = text
    name = first.text.rstrip(".") if isinstance(first, Strong) else "Proof"
    if rest and isinstance(rest[0], Text):
        rest[0] = Text(rest[0].text.lstrip())
    return name, tuple(rest) if isinstance(first, Strong) else text
