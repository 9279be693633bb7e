"""Answers of an identity provider, or of others in its name, at the end of a sign-in to the page."""

from typing import Final

import pytest

from groundwire import wiring
from groundwire.adapters.oidc import code_exchange
from groundwire.domain import errors
from groundwire.domain.access.decision import Decision
from groundwire.domain.access.user_blocks import UserBlock
from tests.server.entry.rest.provider_company import PAGE, START, Browser, Company, is_not_started
from tests.support.registry.code_provider import CLIENT_ID, TOKEN
from tests.support.registry.token_issuer import DISCOVERY, Reply


def test_an_answer_of_another_provider_is_refused_before_its_code_is_sent_anywhere(company: Company) -> None:
    browser = Browser()
    page = browser.come_back({**company.approve(browser.start()), "iss": "https://evil.example"})
    assert page.location == f"{PAGE}#sign-in=refused"
    assert company.provider.forms == []


def test_an_answer_without_its_issuer_is_refused_where_the_provider_always_names_it(company: Company) -> None:
    browser = Browser()
    company.provider.issuer.metadata["authorization_response_iss_parameter_supported"] = True
    answer = company.approve(browser.start())
    del answer["iss"]
    assert browser.come_back(answer).location == f"{PAGE}#sign-in=refused"
    del company.provider.issuer.metadata["authorization_response_iss_parameter_supported"]
    wiring.reset()
    answer = company.approve(browser.start())
    del answer["iss"]
    assert browser.come_back(answer).location == PAGE


def test_an_error_of_the_provider_becomes_a_word_and_nothing_of_it_is_shown(company: Company) -> None:
    browser = Browser()
    state = company.approve(browser.start())["state"]
    markup = "<script>alert(1)</script>"
    page = browser.come_back({"state": state, "error": markup, "error_description": markup, "error_uri": "//evil"})
    assert (page.status, page.location, page.body) == (303, f"{PAGE}#sign-in=refused", b"")
    assert "alert" not in (company.world.services.settings.home / "audit.jsonl").read_text()
    assert is_not_started(browser.come_back({"error": "access_denied"}))


WRONG_TOKENS: Final[dict[str, dict[str, object]]] = {
    "token_audience": {"aud": "https://other.example/mcp"},
    "token_issuer": {"iss": "https://evil.example"},
    "token_expired": {"exp": 1, "iat": 1},
    "token_claims": {"sub": ""},
    "unknown_key": {"company": "t_0000000000000000"},
}


@pytest.mark.parametrize("reason", [*WRONG_TOKENS, "blocked_user", "revoked"])
def test_whoever_is_not_admitted_reads_one_word_whatever_the_reason(company: Company, reason: str) -> None:
    stores = company.world.services.stores
    if reason == "blocked_user":
        stores.users.block(company.tenant, UserBlock("ann", Decision("olga", company.now[0], "", "")))
    if reason == "revoked":
        stores.keys.revoke(company.tenant, company.key.kid)
    browser = Browser()
    page = browser.come_back(company.approve(browser.start(), **WRONG_TOKENS.get(reason, {})))
    assert page.location == f"{PAGE}#sign-in=not_admitted"
    assert not any("gws." in cookie for cookie in page.cookies)
    assert company.last_line()["reason"] == reason


def test_a_token_that_names_another_client_as_audience_such_as_an_id_token_is_refused(company: Company) -> None:
    browser = Browser()
    page = browser.come_back(company.approve(browser.start(), aud=CLIENT_ID))
    assert page.location == f"{PAGE}#sign-in=not_admitted"


@pytest.mark.parametrize(
    "reply",
    [
        Reply(b"", 500),
        Reply(b"<html>", 200),
        Reply(b'{"access_token": "x", "token_type": "mac"}', 200),
        Reply(b'{"access_token": "x y", "token_type": "Bearer"}', 200),
        Reply(b"", 302, {"location": "http://169.254.169.254/"}),
        Reply(b"x" * 200_000, 200),
    ],
)
def test_an_answer_of_the_token_endpoint_that_is_no_token_opens_nothing(company: Company, reply: Reply) -> None:
    browser = Browser()
    answer = company.approve(browser.start())
    company.provider.issuer.receive = lambda path, _: reply if path == TOKEN else Reply(b"", 404)
    page = browser.come_back(answer)
    assert page.location == f"{PAGE}#sign-in=unavailable"
    assert company.last_line()["reason"] == "provider_unavailable"


@pytest.mark.parametrize(
    "members",
    [
        {"issuer": "https://evil.example"},
        {"authorization_endpoint": None},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": "http://evil.example/authorize"},
        {"authorization_endpoint": "https://evil.example/authorize\r\nset-cookie: a=b"},
        {"authorization_endpoint": "https://user@evil.example/authorize"},
    ],
)
def test_an_address_of_the_provider_that_must_not_be_used_leads_back_to_the_page(
    company: Company, members: dict[str, object]
) -> None:
    company.provider.issuer.metadata.update(members)
    page = Browser().get(START)
    assert (page.location, page.cookies) == (f"{PAGE}#sign-in=unavailable", [])


def test_a_code_is_not_sent_to_a_private_host_that_the_operator_did_not_name(company: Company) -> None:
    company.provider.issuer.metadata["token_endpoint"] = "https://10.0.0.1/token"
    browser = Browser()
    assert browser.come_back(company.approve(browser.start())).location == f"{PAGE}#sign-in=unavailable"


def test_people_who_start_cause_few_calls_to_the_provider(company: Company) -> None:
    for _ in range(5):
        Browser().start()
    assert company.provider.issuer.requested[DISCOVERY] == 1
    company.provider.issuer.replies[DISCOVERY] = Reply(b"", 500)
    wiring.reset()
    for _ in range(5):
        assert Browser().get(START).location == f"{PAGE}#sign-in=unavailable"
    assert company.provider.issuer.requested[DISCOVERY] == 2


@pytest.mark.parametrize(
    ("error", "word", "reason"),
    [
        (errors.NotFound("The tenant was deleted.", "tenant"), "not_admitted", "unknown_key"),
        (errors.Unavailable("The registry does not answer."), "unavailable", "store_unavailable"),
    ],
)
def test_a_session_that_cannot_be_kept_is_not_opened(
    company: Company, monkeypatch: pytest.MonkeyPatch, error: Exception, word: str, reason: str
) -> None:
    browser = Browser()
    answer = company.approve(browser.start())

    def fail(*_: object) -> bool:
        raise error

    monkeypatch.setattr(company.world.services.stores.provider_sessions, "open", fail)
    page = browser.come_back(answer)
    assert page.location == f"{PAGE}#sign-in={word}"
    assert not any("gws." in cookie for cookie in page.cookies)
    assert company.last_line()["reason"] == reason


def test_a_token_endpoint_that_takes_too_long_opens_nothing(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = Browser()
    answer = company.approve(browser.start())
    monkeypatch.setattr(code_exchange, "EXCHANGE_SECONDS", 0.0)
    assert browser.come_back(answer).location == f"{PAGE}#sign-in=unavailable"


def test_calls_over_the_rate_of_the_key_sign_nobody_in(company: Company) -> None:
    company.world.services.stores.keys.revoke(company.tenant, company.key.kid)
    company.create_key(rate_per_minute=1, burst=1)
    company.signed_in()
    browser = Browser()
    assert browser.come_back(company.approve(browser.start())).location == f"{PAGE}#sign-in=over_limit"
