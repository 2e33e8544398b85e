"""What the manual takes from the program when its pages are built: claims, proofs, counterexamples, the format's rules.

A page says ``<!-- claim: ID -->``, ``<!-- proof: ID CLASS -->``, ``<!-- failures: ID -->``, ``<!-- rule: NAME -->``,
``<!-- report: CLASS SECTION -->``, ``<!-- pictures: CLASS -->``, ``<!-- gallery: KIND -->`` or ``<!-- kernel: lines -->``
where the words are to stand.  They come from the committed certificates, the
sentences of ``pomgcheck.reporting`` and ``certificates/FORMAT.md``, so that no page says them a second time.  The tour
is made of its notebook.
"""

from __future__ import annotations

import json
import re
import runpy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from pomgcheck import gallery
from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.errors import InputError
from pomgcheck.reporting import claims, words
from pomgcheck.reporting.blocks import Block, Heading, Paragraph
from pomgcheck.reporting.pages import certificates
from pomgcheck.reporting.pages.glance import glance
from pomgcheck.reporting.render import markdown
from pomgcheck.reporting.render.markup import html
from pomgcheck.reporting.spans import Strong, say

ROOT = Path(__file__).parents[1]
CERTIFICATES = ROOT / "certificates"
MARK = re.compile(r"<!-- (claim|proof|failures|rule|report|pictures|gallery|kernel): (.+?) -->")
EXPLAINED = 3  # blocks of a claim's section before its constants: heading, verdict, statement


@cache
def certificate(name: str) -> Certificate:
    """The committed certificate of a class of the gallery."""
    return Certificate.load(CERTIFICATES / f"{name}.cert.json")


def claim_of(name: str, claim: str) -> RecordedClaim:
    """A claim of that certificate, without what its search said."""
    found = certificate(name).claims
    if claim not in found:
        raise InputError("claim", repr(claim), f"one of {', '.join(found)}")
    return replace(found[claim], document={**found[claim].document, "search": {}})


def text(blocks: Sequence[Block]) -> str:
    """Blocks as the Markdown of a page, headings two levels down, folded tables read too."""
    lowered = [Heading(part.level + 2, part.text, "") if isinstance(part, Heading) else part for part in blocks]
    return "\n\n".join(markdown.block(part, "") for part in lowered).replace("<details>", '<details markdown="1">')


def claim(claim: str) -> str:
    """What the claim says, in a sentence and in the kernel's own words for `patrol`."""
    entry = claim_of("patrol", claim)
    statement = Paragraph(
        say("{head} {s}", head=Strong(f"{entry.paper}, as owed by patrol."), s=words.statement(entry.statement))
    )
    return text([Paragraph(claims.gist(entry.id)), statement])


def section(name: str, claim: str) -> str:
    """How a certificate settles the claim: constants, and proof or counterexample."""
    return text(certificates.claim_section(certificate(name), claim_of(name, claim), level=2)[EXPLAINED:])


def proof(arguments: str) -> str:
    """``ID CLASS``: how the claim was settled for that class."""
    claim, name = arguments.split()
    return section(name, claim)


def refuted(claim: str) -> list[str]:
    """The classes of the gallery that are there to fail the claim, or else those that fail it besides."""
    names = [
        name
        for name in gallery.names()
        if (CERTIFICATES / f"{name}.cert.json").is_file() and claim_of(name, claim).verdict == "refuted"
    ]
    return [name for name in names if gallery.entry(name).fails[:1] == (claim,)] or names


def failures(claim: str) -> str:
    """Every such class: what it teaches, and its counterexample, folded."""
    return "\n\n".join(
        f"### `{name}`\n\n{gallery.entry(name).teaches}\n\n{folded('Step by step', section(name, claim))}"
        for name in refuted(claim)
    )


def folded(summary: str, words: str) -> str:
    """Words behind a line to be clicked on."""
    return f'<details markdown="1"><summary>{summary}</summary>\n\n{words}\n\n</details>'


def rule(name: str) -> str:
    """The format's paragraphs on a rule."""
    form = (CERTIFICATES / "FORMAT.md").read_text(encoding="utf-8").partition("\n## Rules\n")[2].partition("\n## ")[0]
    parts = re.split(r"^\*\*([a-z]+)\.\*\* ", form, flags=re.MULTILINE)
    found = dict(zip(parts[1::2], parts[2::2], strict=True))
    if name not in found:
        raise InputError("rule", repr(name), f"one of {', '.join(found)}")
    return re.sub(r"^( +)(?=- )", r"\1\1", found[name].strip(), flags=re.MULTILINE)  # MkDocs wants lists deeper inside


@cache
def sections(name: str) -> Mapping[str, Sequence[Block]]:
    """What stands in a class's report under each heading that has an anchor, up to the next one; under "verdict", what
    stands before the first."""
    anchor, found = "verdict", dict[str, list[Block]]()
    for part in certificates.document(certificate(name)).blocks:
        if isinstance(part, Heading):
            anchor = part.anchor or anchor
        else:
            found.setdefault(anchor, []).append(part)
    return found


def report(arguments: str) -> str:
    """``CLASS SECTION``: that section of the class's report.  Links to its claims lead to their pages here."""
    name, wanted = arguments.split()
    if wanted not in sections(name):
        raise InputError("report", repr(wanted), f"a section of the report of {name}")
    return re.sub(r"\]\(#([a-z-]+)\)", r"](claims/\1.md)", text(sections(name)[wanted]))


def pictures(name: str) -> str:
    """The drawings of a certificate's first screen side by side, each above its words."""
    figures = (
        f"<figure>{picture.svg}<figcaption>{html(picture.caption)}</figcaption></figure>"
        for picture in glance(certificate(name)).pictures
    )
    return f'<div class="pictures">{"".join(figures)}</div>'


KINDS = {
    "certified": ("certified",),
    "continua": ("continua", "partly"),
    "counterexamples": ("counterexamples",),
    "given-operators": ("given-operators",),
}


def cards(kind: str) -> str:
    """A card for each class of this kind."""
    if kind not in KINDS:
        raise InputError("gallery", repr(kind), f"one of {', '.join(KINDS)}")
    return f'<div class="cards">\n\n{"".join(map(card, gallery.names(*KINDS[kind])))}</div>'


def card(name: str) -> str:
    """One class: its name, what it is about and what it teaches, the verdict of every claim, and its game."""
    entry = gallery.entry(name)
    teaches = f'<p class="teaches">{escape(entry.teaches)}</p>' if entry.teaches else ""
    seen = glance(certificate(name))
    strip = "".join(
        f'<li class="{verdict}" title="{claim}: {verdict}">{paper}</li>' for paper, claim, verdict in seen.verdicts
    )
    game = "".join(picture.svg for picture in seen.pictures[:1])
    return (
        f'<div class="card">\n<h3 id="{name}"><code>{name}</code></h3>\n<p>{escape(sentence(entry.summary))}</p>\n{teaches}\n'
        f'<ul class="strip">{strip}</ul>\n{game}\n</div>\n\n'
    )


def sentence(words: str) -> str:
    """``words`` with a capital letter and a full stop."""
    return f"{words[0].upper()}{words[1:].removesuffix('.')}."


def kernel_lines(what: str) -> str:
    """The table of the kernel's lines, counted as the page is made."""
    if what != "lines":
        raise InputError("kernel", repr(what), "lines")
    return str(runpy.run_path(str(ROOT / "docs" / "kernel.py"))["table"]())


SHOWN = {
    "claim": claim,
    "proof": proof,
    "failures": failures,
    "rule": rule,
    "report": report,
    "pictures": pictures,
    "gallery": cards,
    "kernel": kernel_lines,
}


def filled(page: str) -> str:
    """A page with every mark in its place."""
    return MARK.sub(lambda mark: SHOWN[mark[1]](mark[2]), page)


# what is no prose: code, names of the reference, tags, the targets of links, and characters escaped
KEPT = re.compile(
    r"(<svg .*?</svg>|^```.*?^```|^::: [^\n]*(?:\n    [^\n]*)*|`[^`]*`|</?[A-Za-z][^>]*>|\]\([^)]*\)|\\.)",
    re.MULTILINE | re.DOTALL,
)
STAR = re.compile(r"(?<=[ξθΦEvVT])\*(?!\*)")  # of a truth or an expectation, not of emphasis
INDEX = r"[0-9]+|[^\W\d_]+(?:&#42;)?|[∞♯]"  # a number or a word
SCRIPTS = tuple(
    (re.compile(rf"(?<=\S){re.escape(mark)}{pattern}"), tag)
    for pattern in (f"({INDEX})", r"\{([^{}]*)\}")
    for mark, tag in (("_", "sub"), ("^", "sup"))
)


def formulas(page: str) -> str:
    """Prose with ``x_1``, ``x_{h+1}`` and ``g^t`` set as indices, and no underscore or ``ξ*`` left to be taken for
    emphasis."""
    pieces = KEPT.split(page)
    for k in range(0, len(pieces), 2):
        pieces[k] = STAR.sub("&#42;", pieces[k])
        for pattern, tag in (*SCRIPTS, *SCRIPTS):  # braces in braces: the inner ones first
            pieces[k] = pattern.sub(rf"<{tag}>\g<1></{tag}>", pieces[k])
        pieces[k] = pieces[k].replace("_", r"\_")
    return "".join(pieces)


def notebook(source: Mapping[str, Any]) -> str:
    """A notebook as a page: its words, its prompts, and what they gave."""
    parts = []
    for cell in source["cells"]:
        body = "".join(cell["source"])
        parts.append(body if cell["cell_type"] == "markdown" else f"```python\n{body}\n```")
        for output in cell.get("outputs", ()):
            data = output.get("data", {"text/plain": output.get("text", "")})
            if "text/html" in data:
                parts.append(f'<div class="md-typeset__scrollwrap">{"".join(data["text/html"])}</div>')
            else:
                parts.append(f"```text\n{''.join(data['text/plain']).rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


# ------------------------------------------------------------------------------------------ for MkDocs


def on_files(files: Any, config: Any) -> Any:
    """The tour, made of its notebook."""
    from mkdocs.structure.files import File

    source = json.loads((ROOT / "docs" / "tour.ipynb").read_text(encoding="utf-8"))
    words = f"---\nhide: [toc]\n---\n\n{notebook(source)}"  # its tables are wide
    files.append(File.generated(config, "tour.md", content=words))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Every page filled, its formulas set; the tour's are HTML already."""
    return markdown if page.file.src_uri == "tour.md" else formulas(filled(markdown))
