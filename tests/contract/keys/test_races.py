from dataclasses import replace
from threading import Event

from groundwire.domain.keys.api_key import OPERATOR, AdmissionDenialReason, AdmissionGranted
from tests.contract.keys.calls import outcome, two_hundred_calls
from tests.support.registry.backends import Place, Stores
from tests.support.registry.races import race, race_processes
from tests.support.registry.records import CURRENT, NOW, PERSONAL_KEY, tenant

KID = PERSONAL_KEY.kid
ROOMY = replace(PERSONAL_KEY, rate_per_minute=60_000, burst=10_000)


def test_of_sixty_racing_callers_exactly_the_burst_of_twenty_is_admitted(shared_stores: Stores) -> None:
    shared_stores.tenants.add(tenant("t-acme"))
    shared_stores.keys.add(PERSONAL_KEY, CURRENT)
    outcomes = race(60, lambda _: outcome(shared_stores))
    assert (outcomes.count("admitted"), outcomes.count(AdmissionDenialReason.KEY_RATE)) == (20, 40)


def test_the_tenants_burst_holds_when_callers_of_two_keys_race(shared_stores: Stores) -> None:
    shared_stores.tenants.add(tenant("t-acme", rate_per_minute=60, burst=20))
    kids = [f"racer0000000{number}"[-12:] for number in range(2)]
    for kid in kids:
        shared_stores.keys.add(replace(ROOMY, kid=kid), CURRENT)
    admissions = race(60, lambda number: shared_stores.keys.admit(kids[number % 2], CURRENT, NOW))
    assert sum(isinstance(admission, AdmissionGranted) for admission in admissions) == 20


def test_concurrent_calls_over_the_tenants_rate_spend_nothing_of_their_keys_rate(shared_stores: Stores) -> None:
    shared_stores.tenants.add(tenant("t-acme", rate_per_minute=60_000, burst=20))
    shared_stores.keys.add(PERSONAL_KEY, CURRENT)
    shared_stores.keys.add(replace(ROOMY, kid="roomy0000000"), CURRENT)
    spent = [shared_stores.keys.admit("roomy0000000", CURRENT, NOW) for _ in range(20)]
    assert all(isinstance(admission, AdmissionGranted) for admission in spent)
    assert "admitted" not in race(30, lambda _: outcome(shared_stores))
    refilled = [shared_stores.keys.admit(KID, CURRENT, NOW + 0.02) for _ in range(21)]
    assert [isinstance(admission, AdmissionGranted) for admission in refilled] == [True] * 20 + [False]


def test_the_burst_holds_over_processes(shared_place: Place, shared_stores: Stores) -> None:
    shared_stores.tenants.add(tenant("t-acme"))
    shared_stores.keys.add(replace(PERSONAL_KEY, burst=400), CURRENT)
    outcomes = [each for calls in race_processes(3, two_hundred_calls, shared_place) for each in calls]
    assert (outcomes.count("admitted"), outcomes.count(AdmissionDenialReason.KEY_RATE)) == (400, 200)


def test_no_call_that_starts_after_a_revocation_is_admitted(shared_stores: Stores) -> None:
    shared_stores.tenants.add(tenant("t-acme"))
    shared_stores.keys.add(ROOMY, CURRENT)
    calling, revoked = Event(), Event()

    def call(number: int) -> list[tuple[bool, str]]:
        if number == 0:
            calling.wait(timeout=30)
            shared_stores.keys.revoke("t-acme", KID)
            revoked.set()
            return []
        history: list[tuple[bool, str]] = []
        while sum(after for after, _ in history) < 5:
            history.append((revoked.is_set(), outcome(shared_stores)))
            calling.set()
        return history

    history = [entry for caller in race(5, call) for entry in caller]
    assert {result for after, result in history if after} == {AdmissionDenialReason.REVOKED}
    assert "admitted" in {result for after, result in history if not after}


def test_at_every_moment_of_a_rotation_the_newest_known_secret_works(shared_stores: Stores) -> None:
    shared_stores.tenants.add(tenant("t-acme"))
    secrets = [bytes([number]) * 32 for number in range(41)]
    shared_stores.keys.add(ROOMY, secrets[0])
    known = [0]

    def call(number: int) -> list[str]:
        if number == 0:
            for newest in range(1, len(secrets)):
                shared_stores.keys.rotate("t-acme", KID, secrets[newest], NOW + 60, OPERATOR)
                known[0] = newest
            return []
        results: list[str] = []
        while known[0] < len(secrets) - 1 or not results:
            before = known[0]
            result = outcome(shared_stores, secrets[before])
            # With two rotations during one call the secret may rightly have ended.
            if known[0] == before:
                results.append(result)
        return results

    assert {result for caller in race(4, call) for result in caller} == {"admitted"}
