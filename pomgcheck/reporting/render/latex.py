"""A report as LaTeX: a body to ``\\input`` in a paper, a document of its own round it, and the BibTeX entries.

All output is ASCII: every other character is written as a command, or by its code point where TeX has none. A claim is
a numbered statement with its proof; labels begin with the report's name, ``\\cref{patrol:weak-revealing}``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import resources

from pomgcheck.reporting.blocks import (
    Block,
    Code,
    Document,
    Figure,
    Heading,
    Inline,
    Items,
    Label,
    Link,
    Listing,
    Math,
    Number,
    Paragraph,
    Strong,
    Table,
    Text,
    Verdict,
)
from pomgcheck.reporting.drawings.figures import Svg
from pomgcheck.reporting.render import text as terminal

PACKAGES = ("amsmath", "amssymb", "amsthm", "array", "booktabs", "graphicx", "longtable")
# verdict -> the environment its claim is stated in
ENVIRONMENTS = {
    "proved": "proposition",
    "vacuous": "proposition",
    "declared": "assumption",
    "refuted": "refutedclaim",
    "unknown": "openclaim",
}
SETTLED = ("proved", "vacuous", "refuted")
NAMES = {
    "proposition": "Proposition",
    "assumption": "Assumption",
    "refutedclaim": "Refuted claim",
    "openclaim": "Open claim",
}
CREFNAMES = [f"\\crefname{{{name}}}{{{words.lower()}}}{{{words.lower()}s}}" for name, words in NAMES.items()]
SECTIONS = {2: "section", 3: "subsection", 4: "paragraph"}
# size -> digits that a line of a table holds, and digits between two columns
ROOMS = (("small", 91, 1.6), ("footnotesize", 98, 1.75), ("scriptsize", 106, 1.9))
STEP = 2.0  # by which a column is widened
# the widths of characters in digits: those of Computer Modern, which the document is set in
WIDTHS = {
    "ijl.,;:'|!": 0.56,
    "f()[]-r": 0.73,
    "st": 0.79,
    "I": 0.73,
    "cez": 0.9,
    "mw": 1.6,
    "MW": 1.95,
    " ": 0.67,
    "+<>=~±≤≥≈−≠×·": 1.56,
    "0123456789agoJ/$?*": 1.0,
}
WIDTH = {c: width for characters, width in WIDTHS.items() for c in characters}
CAPITAL, LETTER = 1.5, 1.11  # of the others
TYPED, BOLD = 1.06, 1.16  # a typed character; bold letters, in times of those that are not
PANEL = 389.0  # the width of a drawing of one panel, in points
LONG = 14  # lines of a table that may break over pages
SPLIT = 16  # characters of a fraction that may break after its stroke
BREAKABLE = 16  # characters of a label or a name that may break inside

# ------------------------------------------------------------------------------------- characters

GREEK = {
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "ε": "varepsilon",
    "ζ": "zeta",
    "η": "eta",
    "θ": "theta",
    "ι": "iota",
    "κ": "kappa",
    "λ": "lambda",
    "μ": "mu",
    "ν": "nu",
    "ξ": "xi",
    "π": "pi",
    "ρ": "rho",
    "σ": "sigma",
    "τ": "tau",
    "υ": "upsilon",
    "φ": "varphi",
    "χ": "chi",
    "ψ": "psi",
    "ω": "omega",
    "Γ": "Gamma",
    "Δ": "Delta",
    "Θ": "Theta",
    "Λ": "Lambda",
    "Ξ": "Xi",
    "Π": "Pi",
    "Σ": "sum",
    "Υ": "Upsilon",
    "Φ": "Phi",
    "Ψ": "Psi",
    "Ω": "Omega",
}
SYMBOLS = {
    "≤": "le",
    "≥": "ge",
    "≠": "ne",
    "≈": "approx",
    "·": "cdot",
    "×": "times",
    "±": "pm",
    "∞": "infty",
    "∈": "in",
    "∅": "emptyset",
    "ℓ": "ell",
    "√": "surd",
    "⌈": "lceil",
    "⌉": "rceil",
    "⌊": "lfloor",
    "⌋": "rfloor",
    "♯": "sharp",
    "∑": "sum",
    "→": "to",
    "✓": "checkmark",
    "∘": "circ",
    "∪": "cup",
    "∩": "cap",
    "⊂": "subset",
    "∀": "forall",
    "∃": "exists",
    "∂": "partial",
    "∇": "nabla",
    "⟨": "langle",
    "⟩": "rangle",
    "○": "circ",
    "▲": "blacktriangle",
    "▼": "blacktriangledown",
}
MATHS = {c: f"\\{name} " for c, name in (GREEK | SYMBOLS).items()} | {
    "−": "-",
    "‖": "\\|",
    "′": "^{\\prime}",
    "″": "^{\\prime\\prime}",
    "…": "\\dots ",
    "*": "^{*}",
    "%": "\\%",
    "#": "\\#",
    "&": "\\&",
    "$": "\\$",
    "{": "\\{",
    "}": "\\}",
    "~": "\\sim ",
    "\\": "\\backslash ",
    "½": "\\tfrac12 ",
    "²": "^{2}",
    "³": "^{3}",
    "\xa0": "\\ ",
    "_": "\\_",
    "^": "\\hat{\\ }",
    "`": "{}^{\\backprime}",
    '"': "^{\\prime\\prime}",
    "'": "^{\\prime}",
}
MATHS |= {c: f"_{{{k}}}" for k, c in enumerate("₀₁₂₃₄₅₆₇₈₉")}
RAISED = ("^", "_")  # what must not follow another of its kind
TEXTS = {
    "\\": "\\textbackslash{}",
    "{": "\\{",
    "}": "\\}",
    "$": "\\$",
    "&": "\\&",
    "#": "\\#",
    "%": "\\%",
    "_": "\\_",
    "^": "\\textasciicircum{}",
    "~": "\\textasciitilde{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": "\\textbar{}",
    '"': "\\textquotedbl{}",
    "`": "\\textasciigrave{}",
    "'": "'",
    "-": "-",
    "–": "--",
    "—": "---",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "…": "\\dots{}",
    "\xa0": "~",
    "§": "\\S{}",
    "ß": "\\ss{}",
    "æ": "\\ae{}",
    "Æ": "\\AE{}",
    "œ": "\\oe{}",
    "Œ": "\\OE{}",
    "ø": "\\o{}",
    "Ø": "\\O{}",
    "ł": "\\l{}",
    "Ł": "\\L{}",
    "ı": "\\i{}",
    "€": "EUR",
    "°": "\\ensuremath{^{\\circ}}",
    "☐": "\\ensuremath{\\square}",
    "✗": "\\ensuremath{\\times}",
    "[": "{[}",
    "]": "{]}",
}
ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
    "\u0328": "k",
}


def code_point(c: str) -> str:
    """A character TeX has no command for, by its number; control characters and blanks are a blank."""
    return f"\\texttt{{<{ord(c):04X}>}}" if c.isprintable() and not c.isspace() else " "


def written(text: str) -> str:
    """Any text for TeX, in ASCII: it prints as it is, and no character of it can act."""
    out: list[str] = []
    for c in unicodedata.normalize("NFC", text):
        letter, *accents = [c] if c in TEXTS or c in MATHS else list(unicodedata.normalize("NFD", c))
        if accents and letter.isascii() and set(accents) <= ACCENTS.keys():
            for accent in accents:
                letter = f"\\{ACCENTS[accent]}{{{letter}}}"
            out.append(letter)
        elif c in ACCENTS and out and re.fullmatch(r"[A-Za-z]", out[-1]):
            out[-1] = f"\\{ACCENTS[c]}{{{out[-1]}}}"
        elif c == "-" and out and out[-1].endswith("-"):
            out.append("{}-")
        elif c in TEXTS:
            out.append(TEXTS[c])
        elif c in MATHS and not c.isascii():
            out.append(f"\\ensuremath{{{MATHS[c].strip()}}}")
        elif c.isascii() and c.isprintable():
            out.append(c)
        else:
            out.append(code_point(c))
    return re.sub(r"(?<=[!?])`|,,|<<|>>|''", lambda m: "{}".join(m.group()), "".join(out))


def typed(text: str) -> str:
    """Something to type, or a label: a long one may break where its parts join."""
    safe = written(text)
    if len(text) > BREAKABLE:
        joint = r"(\\_|(?<!<)[/=.,:)]|(?<=[A-Za-z])-(?=[A-Za-z]))(?=[^\s{}])"
        safe = re.sub(joint, r"\1\\allowbreak{}", safe)
    if re.search(r"[0-9a-f]{40}", text):
        safe = re.sub(r"([0-9a-f]{8})(?=[0-9a-f]{4})", r"\1\\allowbreak{}", safe)
    return f"\\texttt{{{safe}}}"


# --------------------------------------------------------------------------------------- formulas

FUNCTIONS = ("log", "exp", "max", "min")


def base(text: str, after_raised: bool = False) -> str:
    """A piece of a formula: letters, words and signs; ``after_raised`` says that a sub- or superscript comes before."""
    out: list[str] = []
    for piece in re.findall(r"[A-Za-z]{2,}(?:-[a-z]+)*|.", unicodedata.normalize("NFC", text), re.DOTALL):
        if len(piece) > 1:
            words = piece.replace("-", r"\text{-}")
            out.append(f"\\{piece} " if piece in FUNCTIONS else f"\\mathrm{{{words}}}")
        elif piece == "\u0304" and out:
            out[-1] = f"\\bar{{{out[-1]}}}"
        elif piece in MATHS:
            clash = out[-1].startswith(RAISED) if out else after_raised
            out.append("{}" * (clash and MATHS[piece].startswith(RAISED)) + MATHS[piece])
        elif piece.isascii() and piece.isprintable():
            out.append(piece)
        else:
            out.append(f"\\text{{{written(piece)}}}")
    return "".join(out)


def formula(math: Math) -> str:
    """A formula without its dollars."""
    source = math.source.replace("'", "′")
    start = source.find("√(")
    end = closing(source, start + 1) if start >= 0 else 0
    if end:
        before, inner, after = (formula(Math(x)) for x in (source[:start], source[start + 2 : end], source[end + 1 :]))
        return f"{before}\\sqrt{{{inner}}}{after}"
    out, last = "", ""
    for place, text in Math(source).parts():
        if place == "base":
            out += base(text, bool(last))
            last = ""
        else:
            mark = "_" if place == "sub" else "^"
            clash = last == mark or (mark == "^" and out.endswith(("\\prime}", "^{*}")))
            out += "{}" * clash + f"{mark}{{{base(text)}}}"
            last = mark
    return re.sub(r" +(?=[ }]|$)", "", re.sub(r"(\\[A-Za-z]+) (?![A-Za-z])", r"\1", out))


def closing(source: str, start: int) -> int:
    """The place of the bracket that closes the one at ``start``; 0 where none does."""
    depth = 0
    for k in range(start, len(source)):
        depth += {"(": 1, ")": -1}.get(source[k], 0)
        if not depth:
            return k
    return 0


RATIONAL = r"[-−]?\d+(?:/\d+)?"
BRACKETED = re.compile(r"\A([(\[{]?)(.*?)([)\]}]?)\Z", re.DOTALL)  # any text, with a bracket at either end or without
ASSIGNED = re.compile(rf"(?:(?:[A-Za-z_]\w*)=)?{RATIONAL}", re.ASCII)


def label(text: str) -> str:
    """A word of the model; numbers, rows of numbers and parameter points are set as formulas."""
    left, inner, right = BRACKETED.findall(text)[0]
    parts = inner.split(", ")
    if f"{left}{right}" not in ("", "()", "[]", "{}") or not all(map(ASSIGNED.fullmatch, parts)):
        return typed(text)
    shown = ",\\ \\allowbreak ".join(map(assigned, parts))
    return f"${left.replace('{', chr(92) + '{')}{shown}{right.replace('}', chr(92) + '}')}$"


def assigned(text: str) -> str:
    """``x=1/20`` or ``1/20`` without dollars."""
    name, _, value = text.rpartition("=")
    value = value.replace("−", "-")
    if not name:
        return value
    return (name if len(name) == 1 else f"\\mathit{{{written(name)}}}") + f" = {value}"


# --------------------------------------------------------------------------------------- sentences


class Writer:
    """Blocks as LaTeX; ``prefix`` begins every label, ``stem`` the names of drawings."""

    def __init__(self, prefix: str, stem: str) -> None:
        self.prefix, self.stem = prefix, stem

    def inline(self, inline: Inline) -> str:
        """A sentence."""
        return re.sub(r"(?<=\d) s(?=[,.])", "~s", "".join(map(self.span, inline)))  # seconds stay with their number

    def span(self, span: object) -> str:
        """One span of a sentence."""
        match span:
            case Text(text):
                return written(re.sub(r"(?<![\w.,)])-(?=\d)", "−", text))
            case Strong(text):
                return f"\\textbf{{{written(text)}}}"
            case Verdict(word):
                return f"\\textbf{{{word}}}"
            case Code(text):
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
        """The blocks in order; a claim's statement and its proof stand in environments."""
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
                word = next(span.word for span in following.text if isinstance(span, Verdict))
                opened, shown = ENVIRONMENTS[word], word in SETTLED
                out.append(f"\\begin{{{opened}}}[{{{self.inline(part.text)}}}]{self.label(part)}")
            elif isinstance(part, Paragraph) and role == "proof":
                name, rest = proof_name(part.text)
                opened = "proof"
                box = "" if shown else "\\renewcommand{\\qedsymbol}{}"
                out.append(f"\\begin{{proof}}[{{{written(name)}}}]{box}\n{self.inline(rest)}".rstrip())
            else:
                out.append(self.block(part))
        return "\n\n".join([*out[:-1], closed(out[-1], opened)] if opened else out)

    def label(self, heading: Heading) -> str:
        """The label of a heading that has an anchor."""
        return f"\\label{{{self.prefix}:{heading.anchor}}}" if heading.anchor else ""

    def block(self, part: Block) -> str:
        """One block."""
        match part:
            case Heading(level, text):
                return f"\\{SECTIONS[max(level, 2)]}{{{self.inline(text)}}}{self.label(part)}"
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
            case Listing(lines):
                return "\\begin{quote}\\raggedright\n" + "\\\\\n".join(map(typed, lines)) + "\n\\end{quote}"
            case Figure(svg, caption, _, name):
                return (
                    "\\par\\medskip\\begin{minipage}{\\linewidth}\\centering\n"
                    f"\\includegraphics[width={drawn_width(svg)}\\linewidth]{{{self.stem}.{name}.pdf}}\\\\[2pt]\n"
                    f"{{\\footnotesize {self.inline(caption)}\\par}}\n\\end{{minipage}}\\par\\medskip"
                )

    def table(self, table: Table) -> str:
        """A table between rules; one of many lines may break over pages."""
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
        if length > LONG:
            above = f"\\noindent {caption}\\par\\nobreak\n" if caption else ""
            return (
                f"{above}{{\\pomgcheck{size}\\setlength{{\\LTpre}}{{4pt}}\\setlength{{\\LTpost}}{{6pt}}\\setlength{{\\tabcolsep}}{{4pt}}\n"
                f"\\begin{{longtable}}[l]{{@{{}}{spec}@{{}}}}\n"
                f"\\toprule\n{head}\n\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n{body}\n\\end{{longtable}}}}"
            )
        above = f"{caption}\\\\[3pt]\n" if caption else ""
        return (
            f"\\par\\medskip\\noindent\\begin{{minipage}}{{\\linewidth}}\\raggedright\n{above}\\pomgcheck{size}\\setlength{{\\tabcolsep}}{{4pt}}\n"
            f"\\begin{{tabular}}{{@{{}}{spec}@{{}}}}\n\\toprule\n{head}\n\\midrule\n{body}\n\\bottomrule\n\\end{{tabular}}\n"
            "\\end{minipage}\\par\\medskip"
        )

    def stacked(self, table: Table) -> str:
        """A table too wide for the page, row by row."""
        items = []
        for row in table.rows:
            named = zip(table.columns[1:], row[1:], strict=True)
            rest = (f"{written(name)}: {self.inline(cell)}" for name, cell in named)
            items.append(f"\\item {self.inline(row[0])}. {'; '.join(rest)}")
        caption = f"\\textit{{{written(table.caption)}}}\n" if table.caption else ""
        return f"{caption}\\begin{{itemize}}\\footnotesize\n" + "\n".join(items) + "\n\\end{itemize}"


def drawn_width(svg: str) -> str:
    """The share of a line that a drawing takes: one panel less than two beside each other."""
    found = re.search(r'\bwidth="([\d.]+)', svg)
    return f"{min(1.0, float(found.group(1)) / PANEL * 0.7) if found else 0.7:.2f}"


def closed(last: str, environment: str) -> str:
    """The last block of an environment and its end; the box that ends a proof stays with a list or a short table."""
    if environment == "proof":
        last = re.sub(r"(\n\\end\{(?:itemize|enumerate)\})$", lambda m: "\\qedhere" + m.group(), last)
        last = re.sub(r"\n\\end\{minipage\}\\par\\medskip$", lambda m: "\\hfill\\qedhere" + m.group(), last)
    return f"{last}\n\\end{{{environment}}}"


def number(value: Number) -> str:
    """An exact number and its decimal."""
    exact = re.sub(r"log\((.*?)\)", r"\\log(\1)", value.exact.replace("…", "\\dots ").replace("−", "-"))
    exact = re.sub(r"\((\S+ digits)\)", r"\\ \\text{(\1)}", exact)
    if len(exact) > SPLIT:
        exact = exact.replace("/", "/\\allowbreak ")
    if not value.relation:
        return f"${exact}$"
    mantissa, _, power = value.decimal.partition("e")
    decimal = f"{mantissa} \\cdot 10^{{{power}}}" if power else mantissa
    return f"${exact} {'=' if value.relation == '=' else chr(92) + 'approx'} {decimal}$"


def proof_name(text: Inline) -> tuple[str, Inline]:
    """The bold words that begin a proof, without their full stop, and the rest."""
    first, *rest = text
    name = first.text.rstrip(".") if isinstance(first, Strong) else "Proof"
    if rest and isinstance(rest[0], Text):
        rest[0] = Text(rest[0].text.lstrip())
    return name, tuple(rest) if isinstance(first, Strong) else text


def measured(inline: Inline) -> list[float]:
    """The widths of the words of a sentence, roughly, in digits; a line may break between two."""
    widths = [0.0]
    for span in inline:
        pieces, width = [terminal.plain((span,))], wide
        match span:
            case Text(text) | Strong(text) | Link(text):
                pieces = re.split(r"[ \n]+|(?<=[a-z]-)(?=[a-z])", text)
                width = bold if isinstance(span, Strong) else wide
            case Code(text) | Label(text) if len(text) > BREAKABLE:
                pieces, width = re.split(r"(?<=[_/=.,:)])|(?<=[A-Za-z]-)(?=[A-Za-z])| ", text), typed_width
            case Code(text) | Label(text):
                pieces, width = text.split(" "), typed_width
            case Math(source) if len(source) > BREAKABLE:
                pieces = re.split(r"(?<=[+−=·]) ?", pieces[0])
            case Number(exact, relation, decimal):
                parts = re.split(r"(?<=/)", exact) if len(exact) > SPLIT else [exact]
                pieces = [*parts[:-1], f"{parts[-1]} {relation} ", decimal] if relation else parts
        for k, piece in enumerate(pieces):
            if k:
                widths.append(0.0)
            extra = 2 * piece.count("=") if isinstance(span, Label) else 0  # the blanks round the sign of a formula
            widths[-1] += width(piece) + extra
    return widths


def wide(text: str) -> float:
    """The width of a word, in digits."""
    return sum(WIDTH.get(c, CAPITAL if c.isupper() else LETTER) for c in text)


def bold(text: str) -> float:
    """The width of a bold word."""
    return BOLD * wide(text)


def typed_width(text: str) -> float:
    """The width of what is typed."""
    return TYPED * len(text)


def natural(inline: Inline) -> float:
    """The width of a sentence on one line."""
    words = measured(inline)
    return sum(words) + WIDTH[" "] * (len(words) - 1)


def lines(words: Sequence[float], width: float) -> int:
    """The lines that words take in a column."""
    count, used = 1, 0.0
    for word in words:
        if used and used + word > width:
            count, used = count + 1, 0.0
        used += word + WIDTH[" "]
    return count


def divided(table: Table) -> list[Table]:
    """A table too wide for the page as several, each with the first column and some of the others, as evenly as they
    fit; none where one column beside the first is too wide."""
    for count in range(2, len(table.columns)):
        share = -(-(len(table.columns) - 1) // count)
        groups = [range(k, min(k + share, len(table.columns))) for k in range(1, len(table.columns), share)]
        parts = [
            replace(
                table,
                columns=tuple(table.columns[k] for k in (0, *group)),
                rows=tuple(tuple(row[k] for k in (0, *group)) for row in table.rows),
                caption=table.caption if group[0] == 1 else "",
            )
            for group in groups
        ]
        if all(fitted(part)[2] is not None for part in parts):
            return parts
    return []


Columns = list[tuple[float, bool]]  # of a table: the width of each, and whether its cells break


def fitted(table: Table) -> tuple[str, float, Columns | None]:
    """The largest of the sizes at which the table fits a line, how much that holds, and the columns."""
    columns = [((Strong(name),), *(row[k] for row in table.rows)) for k, name in enumerate(table.columns)]
    wide = [max(map(natural, cells)) for cells in columns]
    least = [max(max(measured(cell)) for cell in cells) for cells in columns]
    for size, room, gap in ROOMS[:2]:  # rather a little smaller than broken cells
        if sum(wide) <= room - gap * (len(columns) - 1):
            return size, room, [(width, False) for width in wide]
    for size, room, gap in ROOMS:
        left = room - gap * (len(columns) - 1)
        if sum(least) <= left:
            sizes = shared(table, least, wide, left)
            return size, room, [(given, given < width) for given, width in zip(sizes, wide, strict=True)]
    return size, room, None


def shared(table: Table, least: Sequence[float], wide: Sequence[float], room: float) -> list[float]:
    """Column widths of that sum: each step widens the column that then saves most lines, or that lacks most width."""
    cells = [[measured(cell) for cell in row] for row in table.rows]
    sizes = list(least)

    def height(sizes: Sequence[float]) -> int:
        return sum(max(map(lines, row, sizes)) for row in cells)

    def wider(k: int) -> list[float]:
        return [min(wide[j], size + STEP * (j == k)) for j, size in enumerate(sizes)]

    while sum(sizes) + STEP <= room:
        open_ = [k for k, size in enumerate(sizes) if size < wide[k]]
        if not open_:
            break
        k = min(open_, key=lambda k: (height(wider(k)), sizes[k] / wide[k]))
        sizes = wider(k)
    return sizes


def column(width: float, breaks: bool, room: float) -> str:
    """A column as wide as its cells, or one whose cells break."""
    return f">{{\\raggedright\\arraybackslash}}p{{{width / room:.3f}\\linewidth}}" if breaks else "l"


# ---------------------------------------------------------------------------------------- the files


def slug(title: str) -> str:
    """What labels begin with: the name of the class, and of a report that is no certificate's its kind."""
    name = title.removesuffix(": certificate")
    return re.sub(r"[^A-Za-z0-9]+", "-", unicodedata.normalize("NFKD", name)).strip("-") or "report"


def plain_name(stem: str) -> str:
    """A file name that TeX reads as it stands; blanks, accents and signs of its own are replaced."""
    return re.sub(r"[^A-Za-z0-9.+-]+", "-", stem).strip("-") or "report"


def parted(document: Document) -> tuple[str, list[Block], list[Block]]:
    """The title, the blocks of the body, and those of the section that says how to check it."""
    title, body, checking = document.title, list[Block](), list[Block]()
    target = body
    for part in document.blocks:
        if isinstance(part, Heading) and part.level == 1:
            continue
        if isinstance(part, Heading) and part.level == 2:
            target = checking if part.anchor == "checking" else body
            if target is checking:
                continue
        target.append(part)
    return title, body, checking


def footnote(writer: Writer, parts: Iterable[Block]) -> str:
    """How to check the report, in a footnote: the command and the digests."""
    out: list[str] = []
    for part in parts:
        match part:
            case Paragraph(text):
                out.append(writer.inline(text))
            case Listing(lines):
                out.append("; ".join(map(typed, lines)) + ".")
            case Table(rows=rows):
                out.append(
                    "SHA-256 of the "
                    + ", of the ".join(f"{writer.inline(kind)} {writer.inline(sha)}" for kind, sha in rows)
                    + "."
                )
    cited = "Made with pomgcheck~\\cite{pomgcheck} for the theorem of~\\cite{arora2026policyregret}."
    return "\\footnote{" + " ".join([*out, cited]) + "}"


def body(document: Document, stem: str) -> str:
    """What a paper inputs: no preamble; the environments it needs are defined where the paper has none of that name."""
    writer = Writer(slug(document.title), stem)
    _, parts, checking = parted(document)
    first = next((k for k, part in enumerate(parts) if isinstance(part, Paragraph)), 0)
    note = footnote(writer, checking) if checking else ""
    opening = writer.blocks(parts[: first + 1])
    stamp = [f"% pomgcheck-{name}: {digest}" for name, digest in document.stamp.items()]
    return "\n".join(
        (
            *stamp,
            f"% To be input in a paper that loads {', '.join(PACKAGES)},",
            f"% a T1 font encoding, and hyperref or not. Labels begin with {writer.prefix}:. With cleveref, add",
            *(f"% {line}" for line in CREFNAMES),
            "% In a paper of two columns it stands on pages of its own with one, for its long tables.",
            "\\providecommand{\\hyperref}[2][]{#2}",
            *(
                f"\\ifcsname {name}\\endcsname\\else\\newtheorem{{{name}}}{'' if name == 'proposition' else '[proposition]'}"
                f"{{{words}}}\\fi"
                for name, words in NAMES.items()
            ),
            "\\makeatletter\\if@twocolumn\\onecolumn\\def\\pomgcheckcolumns{\\twocolumn}\\else"
            "\\let\\pomgcheckcolumns\\relax\\fi\\makeatother",
            "\\begingroup\\parindent=0pt\\parskip=4pt plus 1pt\\emergencystretch=3em",
            "\\renewcommand{\\arraystretch}{1.1}\\relax",
            "% tables are set for lines of 16 cm; where lines are shorter, a size smaller",
            f"\\ifdim\\linewidth<430pt{sizes(1)}\\else{sizes(0)}\\fi",
            "",
            opening + note,
            "",
            writer.blocks(parts[first + 1 :]),
            "",
            "\\par\\endgroup\\pomgcheckcolumns",
            "",
        )
    )


def sizes(smaller: int) -> str:
    """The sizes of tables, some steps smaller than their names say."""
    steps = ("small", "footnotesize", "scriptsize", "tiny")
    return "".join(f"\\let\\pomgcheck{name}\\{steps[k + smaller]}" for k, name in enumerate(steps[:3]))


def whole(document: Document, stem: str) -> str:
    """A document of its own that inputs the body."""
    packages, crefnames = "\n".join(f"\\usepackage{{{name}}}" for name in PACKAGES), "\n".join(CREFNAMES)
    stamp = "".join(f"% pomgcheck-{name}: {digest}\n" for name, digest in document.stamp.items())
    return f"""{stamp}\\documentclass[11pt,a4paper]{{article}}
\\usepackage[T1]{{fontenc}}
\\usepackage{{lmodern}}
\\usepackage[margin=2.4cm]{{geometry}}
\\usepackage{{microtype}}
{packages}
\\usepackage[hidelinks]{{hyperref}}
\\usepackage{{cleveref}}
\\theoremstyle{{definition}}
\\newtheorem{{proposition}}{{Proposition}}
\\newtheorem{{assumption}}[proposition]{{Assumption}}
\\newtheorem{{refutedclaim}}[proposition]{{Refuted claim}}
\\newtheorem{{openclaim}}[proposition]{{Open claim}}
{crefnames}
\\title{{{written(document.title)}}}
\\author{{}}
\\date{{}}
\\begin{{document}}
\\maketitle
\\input{{{stem}.body.tex}}
\\bibliographystyle{{plain}}
\\bibliography{{{stem}}}
\\end{{document}}
"""


def references() -> str:
    """The BibTeX entries of the program and of the paper whose theorem it certifies."""
    return resources.files("pomgcheck.reporting").joinpath("templates/references.bib").read_text(encoding="utf-8")


def drawings(document: Document, stem: str) -> Iterator[tuple[str, bytes]]:
    """Name and content of every drawing the body includes."""
    for part in document.blocks:
        if isinstance(part, Figure):
            if not isinstance(part.svg, Svg):
                raise TypeError(f"the drawing {part.stem} has no PDF")
            yield f"{stem}.{part.stem}.pdf", part.svg.pdf()


def texts(document: Document, stem: str) -> dict[str, str]:
    """The document of its own, its body and its references, by file name."""
    return {f"{stem}.tex": whole(document, stem), f"{stem}.body.tex": body(document, stem), f"{stem}.bib": references()}


def files(document: Document, stem: str) -> Mapping[str, str | bytes]:
    """Every file of the report by name, drawings last."""
    return {**texts(document, stem), **dict(drawings(document, stem))}
