"""Writes characters, formulas and labels as LaTeX in ASCII: each has a command, or its code point where TeX has none."""

from __future__ import annotations

import re
import unicodedata

from pomgcheck.reporting.spans import Math

BREAKABLE = 16  # characters of a label or a name that may break inside

# ------------------------------------------------------------------------------------- characters


def named(characters: str, names: str, command: str) -> dict[str, str]:
    """Return each character with the command of its name, written as ``command`` says."""
    return {c: command.format(name) for c, name in zip(characters, names.split(), strict=True)}


GREEK = (
    "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon varphi chi psi "
    "omega Gamma Delta Theta Lambda Xi Pi sum Upsilon Phi Psi Omega"
)
SYMBOLS = (
    "le ge ne approx cdot times pm infty in emptyset ell surd lceil rceil lfloor rfloor sharp sum to checkmark circ cup "
    "cap subset forall exists partial nabla langle rangle circ blacktriangle blacktriangledown"
)
MATHS = (
    named("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ", GREEK, "\\{} ")
    | named("≤≥≠≈·×±∞∈∅ℓ√⌈⌉⌊⌋♯∑→✓∘∪∩⊂∀∃∂∇⟨⟩○▲▼", SYMBOLS, "\\{} ")
    | named("…~\\", "dots sim backslash", "\\{} ")
    | named("_{}$&#%", "_ { } $ & # %", "\\{}")
    | named("₀₁₂₃₄₅₆₇₈₉", "0 1 2 3 4 5 6 7 8 9", "_{{{}}}")
    | named("′'\"*²³", "\\prime \\prime \\prime\\prime * 2 3", "^{{{}}}")
    | {"−": "-", "‖": "\\|", "½": "\\tfrac12 ", "″": "^{\\prime\\prime}", "\xa0": "\\ "}
    | {"^": "\\hat{\\ }", "`": "{}^{\\backprime}"}
)
RAISED = ("^", "_")  # what must not follow another of its kind
TEXTS = (
    named('\\^~<>|"`', "backslash asciicircum asciitilde less greater bar quotedbl asciigrave", "\\text{}{{}}")
    | named("_{}$&#%", "_ { } $ & # %", "\\{}")
    | named("…§ßæÆœŒøØłŁı", "dots S ss ae AE oe OE o O l L i", "\\{}{{}}")
    | named("°☐✗", "^{\\circ} \\square \\times", "\\ensuremath{{{}}}")
    | named("'-–—‘’“”[]€", "' - -- --- ` ' `` '' {[} {]} EUR", "{}")
    | {"\xa0": "~"}
)
ACCENTS = named(
    "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327\u0328", "` ' ^ ~ = u . \" r H v c k", "{}"
)


def code_point(c: str) -> str:
    """Return a character for which TeX has no command, by its number; control characters and blanks are a blank."""
    return f"\\texttt{{<{ord(c):04X}>}}" if c.isprintable() and not c.isspace() else " "


def written(text: str) -> str:
    """Return any text for TeX, in ASCII: it prints as it is, and no character of it can act."""
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


def spelled(text: str) -> str:
    """Return a text as it is printed: a character for which TeX has no command stands there by its number."""
    if text.isascii():
        return text
    return "".join(f"<{ord(c):04X}>" if written(c).startswith("\\texttt{<") else c for c in text)


def typed(text: str) -> str:
    """Return something to type, or a label: a long one may break where its parts join."""
    safe = written(text)
    if len(spelled(text)) > BREAKABLE:
        safe = safe.replace("}\\texttt{<", "}\\allowbreak{}\\texttt{<")
        joint = r"(\\_|(?<!<)[/=.,:)]|(?<=[A-Za-z])-(?=[A-Za-z]))(?=[^\s{}])"
        safe = re.sub(joint, r"\1\\allowbreak{}", safe)
    if re.search(r"[0-9a-f]{40}", text):
        safe = re.sub(r"([0-9a-f]{8})(?=[0-9a-f]{4})", r"\1\\allowbreak{}", safe)
    return f"\\texttt{{{safe}}}"


# --------------------------------------------------------------------------------------- formulas

FUNCTIONS = ("log", "exp", "max", "min")


def base(text: str, after_raised: bool = False) -> str:
    """Return a piece of a formula: letters, words and signs; ``after_raised`` says that a sub- or superscript comes
    before."""
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
    """Return a formula without its dollars."""
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
    return re.sub(r"(?<!\\) +(?=[ }]|$)", "", re.sub(r"(\\[A-Za-z]+) (?![A-Za-z])", r"\1", out))


def closing(source: str, start: int) -> int:
    """Return the place of the bracket that closes the one at ``start``, or 0 where none does."""
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
    """Return a word of the model; numbers, rows of numbers and parameter points are set as formulas."""
    left, inner, right = BRACKETED.findall(text)[0]
    parts = inner.split(", ")
    if f"{left}{right}" not in ("", "()", "[]", "{}") or not all(map(ASSIGNED.fullmatch, parts)):
        return typed(text)
    shown = ",\\ \\allowbreak ".join(map(assigned, parts))
    return f"${left.replace('{', chr(92) + '{')}{shown}{right.replace('}', chr(92) + '}')}$"


def assigned(text: str) -> str:
    """Return ``x=1/20`` or ``1/20`` without dollars."""
    name, _, value = text.rpartition("=")
    value = value.replace("−", "-")
    if not name:
        return value
    return (name if len(name) == 1 else f"\\mathit{{{written(name)}}}") + f" = {value}"
