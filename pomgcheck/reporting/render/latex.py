r"""Writes a report as LaTeX: a body to ``\input`` in a paper, a document of its own round it, and the BibTeX entries.

All output is ASCII: every other character is written as a command, or by its code point where TeX has none. A claim is
a numbered statement with its proof; labels begin with the report's name, ``\cref{patrol:weak-revealing}``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources

from pomgcheck.reporting.blocks import Block, Document, Figure, Heading, Listing, Paragraph, Table
from pomgcheck.reporting.drawings.figures import Svg
from pomgcheck.reporting.render.latex_blocks import ROOM, Writer
from pomgcheck.reporting.render.latex_characters import typed, written
from pomgcheck.reporting.render.paper import ANYHOW, Typeset, for_paper
from pomgcheck.version import __version__

PACKAGES = ("amsmath", "amssymb", "amsthm", "array", "booktabs", "graphicx", "longtable")
NAMES = {
    "proposition": "Proposition",
    "assumption": "Assumption",
    "refutedclaim": "Refuted claim",
    "openclaim": "Open claim",
}
CREFNAMES = [f"\\crefname{{{name}}}{{{words.lower()}}}{{{words.lower()}s}}" for name, words in NAMES.items()]


def slug(title: str) -> str:
    """Return what labels begin with: the name of the class and, for a report that is not a certificate's, its kind."""
    name = title.removesuffix(": certificate")
    return re.sub(r"[^A-Za-z0-9]+", "-", unicodedata.normalize("NFKD", name)).strip("-") or "report"


def plain_name(stem: str) -> str:
    """Return a file name that TeX reads as it stands; blanks, accents and signs of its own are replaced."""
    return re.sub(r"[^A-Za-z0-9.+-]+", "-", stem).strip("-") or "report"


def parted(document: Document) -> tuple[list[Block], list[Block]]:
    """Return the blocks of the body without its title, and those of the section that says how to check it."""
    body, checking = list[Block](), list[Block]()
    target = body
    for part in document.blocks:
        if isinstance(part, Heading) and part.level == 2:
            target = checking if part.anchor == "checking" else body
        if not (isinstance(part, Heading) and (part.level == 1 or part.level == 2 and target is checking)):
            target.append(part)
    return body, checking


def footnote(writer: Writer, parts: Iterable[Block]) -> str:
    """Return how to check the report, in a footnote: the command and the digests."""
    out: list[str] = []
    for part in parts:
        match part:
            case Paragraph(text):
                out.append(writer.inline(text))
            case Listing(lines):
                out.append("; ".join(map(typed, lines)) + ".")
            case Table(rows=rows):
                digests = (f"{writer.inline(kind)} {writer.inline(sha)}" for kind, sha in rows)
                out.append(f"SHA-256 of the {', of the '.join(digests)}.")
    cited = "Made with pomgcheck~\\cite{pomgcheck} for the theorem of~\\cite{arora2026policyregret}."
    return "\\footnote{" + " ".join([*out, cited]) + "}"


ONE_COLUMN = (
    "\\makeatletter\\if@twocolumn\\onecolumn\\def\\pomgcheckcolumns{\\twocolumn}\\else"
    "\\let\\pomgcheckcolumns\\relax\\fi\\makeatother"
)
PAGES = "% In a paper of two columns it stands on pages of its own with one, for its long tables."
# What is left of the page is asked before a heading, since a long table ends a page without its heading.
ROOM_COMMAND = (
    f"\\def{ROOM}{{\\par\\penalty-100\\ifdim\\pagegoal=\\maxdimen\\else"
    "\\ifdim\\dimexpr\\pagegoal-\\pagetotal\\relax<9\\baselineskip\\vfil\\break\\fi\\fi}\\relax"
)
# The environments that a paper lacks are made with the counter that its propositions have, or else its theorems.
ENVIRONMENTS = """\\ifcsname proposition\\endcsname\\else\\ifcsname c@theorem\\endcsname
\\newtheorem{proposition}[theorem]{Proposition}\\else\\newtheorem{proposition}{Proposition}\\fi\\fi
\\ifcsname c@proposition\\endcsname\\def\\pomgcheckshared{proposition}\\else\\ifcsname c@theorem\\endcsname
\\def\\pomgcheckshared{theorem}\\else\\ifcsname c@pomgcheckclaim\\endcsname\\else\\newcounter{pomgcheckclaim}\\fi
\\def\\pomgcheckshared{pomgcheckclaim}\\fi\\fi"""


def body(document: Document, stem: str, asked: Typeset = ANYHOW) -> str:
    """Return what a paper inputs: there is no preamble, and the environments it needs are defined where the paper has
    none of that name; where its tables float, it stays in the columns of the paper."""
    document, floats = for_paper(document, asked.without), asked.floats
    writer = Writer(slug(document.title), stem, asked.level, floats)
    parts, checking = parted(document)
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
            *(() if floats else (PAGES,)),
            "\\providecommand{\\hyperref}[2][]{#2}",
            ENVIRONMENTS,
            *(
                f"\\ifcsname {name}\\endcsname\\else\\newtheorem{{{name}}}[\\pomgcheckshared]{{{words}}}\\fi"
                for name, words in NAMES.items()
                if name != "proposition"
            ),
            "\\let\\pomgcheckcolumns\\relax" if floats else ONE_COLUMN,
            "\\begingroup\\parindent=0pt\\parskip=4pt plus 1pt\\emergencystretch=12em",
            "\\renewcommand{\\arraystretch}{1.1}\\relax",
            ROOM_COMMAND,
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
    """Return the sizes of tables, some steps smaller than their names say."""
    steps = ("small", "footnotesize", "scriptsize", "tiny")
    return "".join(f"\\let\\pomgcheck{name}\\{steps[k + smaller]}" for k, name in enumerate(steps[:3]))


def whole(document: Document, stem: str) -> str:
    """Return a document of its own that inputs the body."""
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
    """Return the BibTeX entries of the program and of the paper whose theorem it certifies."""
    entries = resources.files("pomgcheck.reporting").joinpath("templates/references.bib").read_text(encoding="utf-8")
    return entries.replace("VERSION", __version__)


def drawings(document: Document, stem: str) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of every drawing that the body includes."""
    for part in document.blocks:
        if isinstance(part, Figure):
            if not isinstance(part.svg, Svg):
                raise TypeError(f"the drawing {part.stem} has no PDF")
            yield f"{stem}.{part.stem}.pdf", part.svg.pdf()


def texts(document: Document, stem: str, asked: Typeset = ANYHOW) -> dict[str, str]:
    """Return the document of its own, its body and its references, by file name."""
    return {
        f"{stem}.tex": whole(document, stem),
        f"{stem}.body.tex": body(document, stem, asked),
        f"{stem}.bib": references(),
    }


def files(document: Document, stem: str, asked: Typeset = ANYHOW) -> Mapping[str, str | bytes]:
    """Return every file of the report by name, drawings last."""
    return {**texts(document, stem, asked), **dict(drawings(for_paper(document, asked.without), stem))}
