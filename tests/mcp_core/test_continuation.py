import importlib
import json
import pkgutil
from itertools import combinations
from typing import Final

import pytest

from groundwire.adapters.codecs.aead import AesGcmSeal
from groundwire_mcp.continuation import Binding, ContinuationForm, UnknownContinuation

SEALER: Final = AesGcmSeal(b"k" * 32)
NOW: Final = 1_000.5
OWNER: Final[Binding] = ["acme", "kid_1", "ann", ["dept:x"], "documents"]
OTHERS: Final[dict[str, Binding]] = {
    "another tenant": ["birch", *OWNER[1:]],
    "another key": ["acme", "kid_2", *OWNER[2:]],
    "another user": ["acme", "kid_1", "ben", *OWNER[3:]],
    "no user": ["acme", "kid_1", None, *OWNER[3:]],
    "other tags": ["acme", "kid_1", "ann", ["dept:x", "dept:y"], "documents"],
    "no tags": ["acme", "kid_1", "ann", [], "documents"],
    "another list": [*OWNER[:4], "sources"],
    "a shorter binding": OWNER[:4],
    "a longer binding": [*OWNER, "more"],
}
FORMS: Final = {
    "array": ContinuationForm("array", None, None, 0),
    "expiring array": ContinuationForm("expiring", 60, None, 0),
    "object": ContinuationForm("object", 60, ("call", "expires", "state"), 0),
    "padded": ContinuationForm("padded", 60, None, 300),
}


def forms_of_the_package() -> dict[str, ContinuationForm]:
    """Return the forms that modules declare, by module."""
    found: dict[str, ContinuationForm] = {}
    for part in ("groundwire.dialects", "groundwire_mcp", "groundwire.entry.rest.routes", "groundwire.services"):
        root = importlib.import_module(part)
        for module in pkgutil.walk_packages(root.__path__, f"{root.__name__}."):
            declared = vars(importlib.import_module(module.name)).items()
            found |= {f"{module.name}.{name}": value for name, value in declared if isinstance(value, ContinuationForm)}
    return found


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("position", ["100", "", "d-ä/ü", None])
def test_a_token_opens_to_its_position_for_its_owner(form: ContinuationForm, position: str | None) -> None:
    token = form.seal(SEALER, NOW, OWNER, position)
    assert form.open(SEALER, NOW, OWNER, token) == position


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("binding", OTHERS.values(), ids=OTHERS)
def test_a_token_opens_for_no_other_owner_list_or_right(form: ContinuationForm, binding: Binding) -> None:
    token = form.seal(SEALER, NOW, OWNER, "100")
    with pytest.raises(UnknownContinuation):
        form.open(SEALER, NOW, binding, token)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("token", ["", "made-up", "ä", None, 7, True, [], {}])
def test_what_was_not_sealed_here_is_refused(form: ContinuationForm, token: object) -> None:
    with pytest.raises(UnknownContinuation):
        form.open(SEALER, NOW, OWNER, token)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_token_of_another_installation_is_refused_with_the_same_error(form: ContinuationForm) -> None:
    tokens = [form.seal(AesGcmSeal(b"K" * 32), NOW, OWNER, "100"), form.seal(SEALER, NOW, OWNER[:4], "100"), "x"]
    reported: set[str] = set()
    for token in tokens:
        with pytest.raises(UnknownContinuation) as refused:
            form.open(SEALER, NOW, OWNER, token)
        reported.add(str(refused.value))
    assert len(reported) == 1


@pytest.mark.parametrize("form", [FORMS["expiring array"], FORMS["object"]], ids=["array", "object"])
def test_a_token_expires_for_its_owner_too(form: ContinuationForm) -> None:
    token = form.seal(SEALER, NOW, OWNER, "100")
    assert form.open(SEALER, NOW + 59, OWNER, token) == "100"
    with pytest.raises(UnknownContinuation):
        form.open(SEALER, NOW + 60, OWNER, token)


def test_the_length_of_a_padded_token_does_not_reveal_its_position() -> None:
    form = FORMS["padded"]
    assert len({len(form.seal(SEALER, NOW, OWNER, "x" * length)) for length in (0, 1, 100, 200)}) == 1


def test_no_form_of_the_package_opens_a_token_of_another_one() -> None:
    declared = forms_of_the_package()
    assert len(declared) >= 4
    for (_, one), (_, other) in combinations(declared.items(), 2):
        for sealing, opening in ((one, other), (other, one)):
            with pytest.raises(UnknownContinuation):
                opening.open(SEALER, NOW, OWNER, sealing.seal(SEALER, NOW, OWNER, "100"))


def test_what_earlier_releases_sealed_opens_and_they_open_what_this_one_seals() -> None:
    bare = ["acme", "kid_1", "ann", "tools/list"]
    for purpose, binding, stored in (
        ("cursor", bare, [*bare, "100"]),
        ("v1-cursor", OWNER, [*OWNER, "100"]),
        ("vertex.page", ["digest"], ["digest", 1_060, "100"]),
        ("request-state", bare, {"call": bare, "expires": 1_060, "state": "100"}),
    ):
        [form] = [each for each in forms_of_the_package().values() if each.purpose == purpose]
        earlier = SEALER.seal(purpose, json.dumps(stored).encode().ljust(300))
        assert form.open(SEALER, NOW, binding, earlier) == "100"
        payload = SEALER.unseal(purpose, form.seal(SEALER, NOW, binding, "100"))
        assert payload is not None
        sealed = json.loads(payload)
        lifetime = form.lifetime_seconds
        if isinstance(stored, dict):
            assert sealed == {**stored, "expires": 1_000 + (lifetime or 0)}
        else:
            assert sealed == [*binding, *([] if lifetime is None else [1_000 + lifetime]), "100"]
