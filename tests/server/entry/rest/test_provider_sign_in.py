"""Sign-in to the page by the identity provider: the flow of one browser, and what strangers make of it."""

import json
from urllib.parse import parse_qsl, urlsplit

import pytest

from groundwire import wiring
from groundwire.domain.keys.forms.provider_session import ATTEMPT_SECONDS
from tests.server.entry.rest.provider_company import BACK, HOST, PAGE, START, Browser, Company, is_not_started
from tests.support.registry.code_provider import query
from tests.support.registry.token_issuer import AUDIENCE, DISCOVERY


def test_a_person_signs_in_and_searches_as_the_user_and_groups_of_the_token(company: Company) -> None:
    browser = company.signed_in("ann", groups=["department:sales"])
    who = browser.get("/v1/whoami").json
    assert (who["user"], sorted(who["scopes"])) == ("ann", ["search", "verify"])
    assert browser.finds() == {"ann", "sales"}
    assert company.signed_in("ben").finds() == set()
    line = company.last_line()
    assert (line["user"], line["user_by"], line["kid"]) == ("ben", "token", company.key.kid)


def test_the_address_of_the_provider_binds_a_code_to_this_browser_and_this_server(company: Company) -> None:
    browser = Browser()
    sent = dict(parse_qsl(urlsplit(browser.start()).query))
    assert (sent["redirect_uri"], sent["resource"]) == (f"http://{HOST}{BACK}", AUDIENCE)
    assert sent["scope"] == "groundwire:search groundwire:verify"
    assert (len(sent["state"]), len(sent["code_challenge"])) == (43, 43)
    other = dict(parse_qsl(urlsplit(Browser().start()).query))
    assert not {sent["state"], sent["code_challenge"]} & set(other.values())
    # The verifier is sent to the token endpoint alone: whoever reads the address cannot use its code.
    assert "code_verifier" not in sent
    assert company.provider.forms == []


def test_the_cookie_of_an_attempt_lives_for_minutes_and_no_script_reads_it(company: Company) -> None:
    [cookie] = Browser().get(START).cookies
    name, *attributes = cookie.split("; ")
    assert name.startswith("groundwire-sign-in-8080=")
    assert attributes == ["Path=/console/", "HttpOnly", "SameSite=Lax", f"Max-Age={ATTEMPT_SECONDS}"]
    assert company.now


def test_on_https_both_cookies_are_for_this_host_alone(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_PUBLIC_URL", "https://docs.example.com")
    wiring.reset()
    browser = Browser("docs.example.com")
    page = browser.get(START)
    [cookie] = page.cookies
    address = dict(parse_qsl(urlsplit(page.location).query))
    assert address["redirect_uri"] == f"https://docs.example.com{BACK}"
    assert cookie.startswith("__Host-groundwire-sign-in=")
    assert cookie.endswith(f"; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age={ATTEMPT_SECONDS}")
    back = browser.come_back(company.approve(page.location))
    assert back.location == "https://docs.example.com/console"
    [_, session] = back.cookies
    assert session.startswith("__Host-groundwire=gws.")
    assert "; Path=/; Secure; HttpOnly; SameSite=Strict; " in session


def test_a_victim_does_not_become_the_attacker_by_a_link_with_the_attackers_code(company: Company) -> None:
    attacker, victim = Browser(), Browser()
    theirs = company.approve(attacker.start(), "mallory")
    assert is_not_started(victim.come_back(theirs))
    # Nor while a sign-in of the victim is under way.
    victim.start()
    assert is_not_started(victim.come_back(theirs))
    assert company.last_line()["reason"] == "sign_in_not_started"
    # Nobody was asked for a token, so the answer of a stranger causes no call.
    assert company.provider.forms == []
    assert victim.get("/v1/whoami").status == 401


@pytest.mark.parametrize(
    "changed",
    [
        {"state": ""},
        {"state": "x"},
        {"state": "\u00e9" * 43},
        {"state": "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")},
        {"State": "x", "state": "0" * 43},
    ],
)
def test_an_answer_with_another_state_opens_nothing(company: Company, changed: dict[str, str]) -> None:
    browser = Browser()
    assert is_not_started(browser.come_back({**company.approve(browser.start()), **changed}))
    assert company.provider.forms == []


@pytest.mark.parametrize("name", ["state", "code", "iss"])
def test_an_answer_with_a_parameter_twice_opens_nothing(company: Company, name: str) -> None:
    browser = Browser()
    answer = company.approve(browser.start())
    assert is_not_started(browser.get(f"{BACK}?{query(answer)}&{query({name: answer[name]})}"))
    assert company.provider.forms == []


def test_an_attempt_ends_after_minutes_and_with_its_first_answer(company: Company) -> None:
    browser = Browser()
    answer = company.approve(browser.start())
    company.now[0] += ATTEMPT_SECONDS
    assert is_not_started(browser.come_back(answer))
    browser = Browser()
    answer = company.approve(browser.start())
    assert is_not_started(browser.come_back({**answer, "state": "x"}))
    assert is_not_started(browser.come_back(answer))


def test_two_cookies_of_an_attempt_open_nothing(company: Company) -> None:
    browser = Browser()
    answer = company.approve(browser.start())
    browser.jar["x"] = ("y; groundwire-sign-in-8080=planted", "/console/")
    assert is_not_started(browser.come_back(answer))


def test_a_cookie_that_the_server_did_not_seal_for_an_attempt_opens_nothing(company: Company) -> None:
    browser = Browser()
    answer = company.approve(browser.start())
    [(name, (sealed, path))] = browser.jar.items()
    foreign = {"attempt": "a" * 12, "verifier": "v" * 43, "screen": "", "state": answer["state"], "expires_at": 2**40}
    seal = company.world.services.stores.seal
    planted = [json.dumps(foreign), seal.seal("link", json.dumps(foreign).encode()), sealed[:-1], f"{sealed}x", ""]
    for text in planted:
        assert is_not_started(Browser(jar={name: (text, path)}).come_back(answer))
    assert company.provider.forms == []
    assert browser.come_back(answer).location == PAGE


def test_a_repeated_answer_opens_no_second_session_even_where_the_provider_takes_a_code_twice(company: Company) -> None:
    company.provider.accepts_codes_twice = True
    browser, thief = Browser(), Browser()
    answer = company.approve(browser.start())
    thief.jar.update(browser.jar)
    assert browser.come_back(answer).location == PAGE
    assert is_not_started(browser.come_back(answer))
    assert is_not_started(thief.come_back(answer))
    assert browser.change("DELETE", "/v1/session").json == {"signed_out": True}
    assert is_not_started(thief.come_back(answer))


def test_a_stolen_code_is_of_no_use_to_another_browser(company: Company) -> None:
    victim, thief = Browser(), Browser()
    stolen = company.approve(victim.start(), "ann")
    own = company.approve(thief.start(), "mallory")
    page = thief.come_back({**own, "code": stolen["code"]})
    assert page.location == f"{PAGE}#sign-in=refused"
    assert company.last_line()["reason"] == "sign_in_refused"
    assert thief.get("/v1/whoami").status == 401


def test_each_attempt_has_its_own_verifier(company: Company) -> None:
    company.signed_in("ann")
    company.signed_in("ann")
    first, second = (form["code_verifier"] for form in company.provider.forms)
    assert first != second
    assert {len(first), len(second)} == {43}


@pytest.mark.parametrize(
    ("screen", "fragment"),
    [
        ("", ""),
        ("documents", "#/documents"),
        ("document/a%20b", "#/document/a%20b"),
        ("//evil.example/", "#///evil.example/"),
        ("https://evil.example", ""),
        ("x\r\nset-cookie: a=b", ""),
        ("x" * 301, ""),
        ("<script>", ""),
    ],
)
def test_a_person_returns_to_a_screen_of_the_page_and_to_no_other_address(
    company: Company, screen: str, fragment: str
) -> None:
    browser = Browser()
    answer = company.approve(browser.start(f"{START}?{query({'screen': screen})}"))
    assert browser.come_back(answer).location == PAGE + fragment


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1:9999", "127.0.0.1", f"{HOST}.evil.example", "[", ""])
@pytest.mark.parametrize("path", [START, BACK])
def test_a_request_by_another_name_of_the_server_leads_to_its_public_address(
    company: Company, host: str, path: str
) -> None:
    page = Browser(host).get(path)
    assert (page.location, page.cookies) == (f"{PAGE}#sign-in=other_address", [])
    assert company.provider.issuer.requested[DISCOVERY] == 0


def test_a_session_is_never_that_of_a_cookie_which_was_there_before(company: Company) -> None:
    known = company.signed_in("mallory")
    victim = Browser()
    victim.jar.update(known.jar)
    assert victim.come_back(company.approve(victim.start(), "ann")).location == PAGE
    assert victim.jar != known.jar
    assert [each.get("/v1/whoami").json["user"] for each in (victim, known)] == ["ann", "mallory"]


def test_the_audit_log_and_the_registry_hold_no_secret_of_a_sign_in(company: Company) -> None:
    browser = Browser()
    address = browser.start()
    [(attempt, _)] = browser.jar.values()
    answer = company.approve(address)
    page = browser.come_back(answer)
    [(session, _)] = browser.jar.values()
    verifier = company.provider.forms[-1]["code_verifier"]
    home = company.world.services.settings.home
    stored = b"".join(file.read_bytes() for file in home.iterdir() if file.is_file())
    for secret in (answer["code"], answer["state"], verifier, attempt, session.rpartition(".")[2]):
        assert secret.encode() not in stored
        assert secret not in page.location


def test_without_an_audit_line_nobody_is_signed_in(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = Browser()
    answer = company.approve(browser.start())

    def fail(_: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr(company.world.services.stores.audit, "append", fail)
    page = browser.come_back(answer)
    assert (page.location, page.cookies) == (f"{PAGE}#sign-in=unavailable", [])


@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "DELETE"])
def test_only_a_navigation_completes_a_sign_in(company: Company, method: str) -> None:
    browser = Browser()
    answer = company.approve(browser.start())
    assert browser.send(method, f"{BACK}?{query(answer)}").status == 404
    assert company.provider.forms == []


def test_answers_on_the_way_are_not_cached_and_pass_no_code_on(company: Company) -> None:
    browser = Browser()
    start = browser.get(START)
    for page in (start, browser.come_back(company.approve(start.location))):
        headers = dict(page.headers)
        assert (headers["cache-control"], headers["referrer-policy"]) == ("no-store", "no-referrer")


def test_the_page_has_the_link_where_a_client_is_set_and_nowhere_else(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert f'data-sign-in="http://{HOST}{START}"'.encode() in Browser().get("/console").body
    assert company.now
    monkeypatch.delenv("GROUNDWIRE_OAUTH_CLIENT_ID")
    wiring.reset()
    assert b'data-sign-in=""' in Browser().get("/console").body
    assert [Browser().get(path).status for path in (START, BACK, "/console/sign", "/console/signs")] == [404] * 4
