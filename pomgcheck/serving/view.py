"""Makes what the page shows of a certificate, as fragments of HTML: the verdict, bars of constants, and the claims."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.options import Options
from pomgcheck.reporting import claims as told
from pomgcheck.reporting.blocks import Figure
from pomgcheck.reporting.numbers import fraction
from pomgcheck.reporting.pages import certificates, sweeps
from pomgcheck.reporting.render import html, markup
from pomgcheck.reporting.render.text import MARKS, plain
from pomgcheck.reporting.spans import Inline, Number, VerdictMark, say
from pomgcheck.reporting.words import WORST_FIRST, Constant, constants, ends
from pomgcheck.search.sweep_file import Sweep

BARS = {"weak-revealing": "alpha", "kl-joint": "c_KL_joint", "kl-world": "c_KL_world", "posterior-lipschitz": "L"}
SHORT = 32  # characters of a number that is shown exactly in a line


def filled(template: str, **words: Any) -> str:
    """Return a template of the page with its words."""
    return str(html.environment("pomgcheck.serving").get_template(template).render(words))


def page(**words: str) -> str:
    """Return the page itself, without anything of a document."""
    return filled("page.html", **words)


def shown(cert: Certificate, opened: Collection[str]) -> dict[str, Any]:
    """Return the fragments of a certificate; refuted claims and those ``opened`` are there in full."""
    ranked = sorted(cert.claims.values(), key=lambda claim: WORST_FIRST.index(claim.verdict))
    return {
        "name": cert.name,
        "verdict": html.inner([certificates.verdict(cert)]),
        "counts": counts(ranked),
        "bars": filled("bars.html", bars=[bar(cert.claims[claim], base) for claim, base in BARS.items()]),
        "claims": filled("claims.html", claims=rows(cert, ranked, opened)),
        "sha256": cert.sha256,
        "model_sha256": cert.model_sha256,
    }


def counts(claims: list[RecordedClaim]) -> str:
    """Return the verdicts counted, such as ``2 refuted, 14 proved``."""
    verdicts = [claim.verdict for claim in claims]
    return ", ".join(f"{verdicts.count(word)} {word}" for word in dict.fromkeys(verdicts))


def rows(cert: Certificate, claims: list[RecordedClaim], opened: Collection[str]) -> list[dict[str, Any]]:
    """Return each claim for the list: its names and constants, and its section where that is open."""
    return [
        {
            "id": claim.id,
            "open": claim.verdict == "refuted" or claim.id in opened,
            "verdict": claim.verdict,
            "mark": MARKS[claim.verdict],
            "title": told.title(claim.id),
            "paper": claim.paper,
            "constants": [markup_of(brief(constant)) for constant in constants(claim.id, claim.values.written)],
            "section": markup_of_section(cert, claim) if claim.verdict == "refuted" or claim.id in opened else None,
        }
        for claim in claims
    ]


def brief(constant: Constant) -> Inline:
    """Return a constant in a line: exact where that is short, else the decimal of the end that the theorem uses."""
    if constant.exact and len(constant.exact.plain()) <= SHORT:
        return constant.inline()
    relation, end = constant.used
    relation = end.relation if constant.exact and end.relation else relation
    return say("{s} {r} {x}", s=constant.symbol, r=relation, x=end.decimal or end.exact)


def markup_of(inline: Inline) -> Any:
    """Return spans as HTML that is not escaped again."""
    from markupsafe import Markup

    return Markup(markup.html(inline))


def section(cert: Certificate, claim: str) -> str:
    """Return one claim in full, as a report has it."""
    return str(markup_of_section(cert, cert.claims[claim]))


def markup_of_section(cert: Certificate, claim: RecordedClaim) -> Any:
    from markupsafe import Markup

    return Markup(html.inner(certificates.claim_section(cert, claim)[1:]))  # its heading is the list's


def bar(claim: RecordedClaim, base: str) -> dict[str, Any]:
    """Return a constant that is drawn: its bar runs from 0 to a power of ten, the certified end in full and the open
    rest pale; without a constant the verdict stands in its place."""
    found = Constant(base, ends(claim.values.written)[base]) if base in ends(claim.values.written) else None
    symbol = Constant(base, {"": "0"}).symbol
    made = {"base": base, "symbol": markup_of((symbol,)), "name": plain((symbol,)), "meaning": ""}
    if found is None:
        none = {"scale": "", "power": 0, "solid": 0.0, "pale": 0.0, "exact": ""}
        return made | none | {"words": markup_of((VerdictMark(claim.verdict),)), "value": claim.verdict}
    lower, upper = found.exact or found.lower, found.exact or found.upper
    used = upper if base == "L" else lower
    most = max(size(lower), size(upper))
    scale = scale_of(size(used))
    return made | {
        "meaning": found.meaning,
        "words": markup_of(brief(found)),
        "value": plain(brief(found)),
        "scale": written(scale),
        "power": scale,
        "solid": min(100.0, 100 * size(used) / scale),
        "pale": min(100.0, 100 * most / scale),
        "exact": "" if used is None else used.exact,
    }


def size(number: Number | None) -> float:
    """Return the value to draw."""
    try:
        return 0.0 if number is None else float(fraction(number.decimal or number.exact))
    except OverflowError:
        return float("inf")


def scale_of(value: float) -> float:
    """Return the least power of ten, from 10^-12 on, that is not below the value; without a value it is 1."""
    exponent = -12 if value else 0
    while 10.0**exponent < value and exponent < 300:
        exponent += 1
    return 10.0**exponent


def written(scale: float) -> str:
    """Return a power of ten as a reader wants it: 0.01, 1, 100, 10⁻⁵."""
    exponent = round(len(f"{scale:.0f}") - 1) if scale >= 1 else -round(len(f"{1 / scale:.0f}") - 1)
    if -3 <= exponent <= 4:
        return f"{scale:g}"
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def diagram(sweep: Sweep) -> str:
    """Return the phase diagrams of the constants that have bars, over a knob, with how the points of the sweep end."""
    drawings = [
        block
        for block in sweeps.drawings(sweep)
        if not isinstance(block, Figure) or block.stem.rpartition("-")[0].replace("-", "_") in BARS.values()
    ]
    return html.inner([sweeps.ends_table(sweep), *drawings])


def options(stated: Options) -> str:
    """Return the options that every answer is given under."""
    return html.inner([certificates.options_table(stated)])
