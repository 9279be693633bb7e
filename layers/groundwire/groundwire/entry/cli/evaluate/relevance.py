"""Output of `groundwire eval --fit-relevance`."""

from typing import Final

from groundwire.entry.cli.console import print_line, print_rows
from groundwire.services.evaluate.relevance_validation import RelevanceProposal
from groundwire.settings.relevance_fits import relevance_fits_text

_FLOOR_DIGITS: Final = 4


def print_proposal(proposal: RelevanceProposal) -> None:
    """Print what the fit refuses and how well its chances hold, and the setting that uses it."""
    fits = proposal.fits
    beside = f" and {fits.reranker}" if fits.reranker else ""
    floor = f"{fits.hybrid.floor:.{_FLOOR_DIGITS}f}"
    print_line(f"\nRelevance fitted for {fits.model}{beside}: floor {floor}.", style="bold")
    shares = [
        {
            "questions": share.kind.value,
            "number": share.questions,
            "empty answers now": "-" if share.now is None else f"{share.now:.3f}",
            "with the fit": f"{share.fitted:.3f}",
        }
        for share in proposal.shares
    ]
    print_rows(shares, list(shares[0]), as_json=False, empty_message="")
    bins = [
        {"first passages": one.passages, "relevance": f"{one.relevance:.3f}", "answer": f"{one.answering:.3f}"}
        for one in proposal.reliability
    ]
    print_rows(bins, list(bins[0]), as_json=False, empty_message="")
    print_line("Each question was judged by a fit that did not use it.", style="dim")
    print_line("Nothing was changed. To use the fit, set:")
    print_line(f"GROUNDWIRE_RELEVANCE_FITS='{relevance_fits_text([fits])}'")


def proposal_members(proposal: RelevanceProposal) -> dict[str, object]:
    """Return the JSON form; `setting` is the value of GROUNDWIRE_RELEVANCE_FITS."""
    return {
        "model": proposal.fits.model,
        "reranker": proposal.fits.reranker,
        "floor": proposal.fits.hybrid.floor,
        "classes": [
            {"questions": one.kind.value, "number": one.questions, "empty_now": one.now, "empty_fitted": one.fitted}
            for one in proposal.shares
        ],
        "reliability": [
            {"passages": one.passages, "relevance": one.relevance, "answering": one.answering}
            for one in proposal.reliability
        ],
        "setting": relevance_fits_text([proposal.fits]),
    }
