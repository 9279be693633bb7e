"""Checks of calls with and without a key: who is admitted, and what the gateway does with headers and addresses."""

from http import HTTPStatus
from typing import Final

from groundwire.domain.text.json_values import load_mapping, mapping_or_empty
from groundwire.entry.cli.commands.doctor.findings import Caution, DefectFound
from groundwire.entry.cli.commands.doctor.scratch_tenant import READER, ScratchTenant, expect_status
from groundwire.entry.runtime.header_comparison import COUNT_HEADER
from groundwire_mcp.transport.http import HttpResponse

_CHALLENGE: Final = "www-authenticate"
_RENAMED_CHALLENGE: Final = "x-amzn-remapped-www-authenticate"
"""Name under which API Gateway may pass on the header of a Lambda function (API Gateway guide, "Important notes")."""
_WELL_KNOWN: Final = "/.well-known/oauth-protected-resource"
RESTORED_CHALLENGE: Final = (
    "Deploy with ChallengeHeader=mapped first; put CloudFront before the API if AWS refuses that, "
    "or if it changes nothing."
)
"""Remedy of a challenge that does not arrive under its own name; docs/oauth.md has the same sentence."""
_COUNTED_CALLS: Final = 2


def check_context(tenant: ScratchTenant) -> str:
    """Check that only a valid key is admitted, by the functions of MCP and of REST."""
    valid = tenant.service.send("GET", "/v1/status", tenant.headers_of("administrator"))
    agent = tenant.service.mcp(tenant.headers_of("agent", READER), "ping")
    expect_status("a valid key", {valid.status, agent.status}, HTTPStatus.OK)
    # Only the last character differs, so that the key is like one in all but its secret.
    forged = {"authorization": f"Bearer {tenant.keys['agent'][:-1]}{'a' if tenant.keys['agent'][-1] != 'a' else 'b'}"}
    for name, headers in (("no key", {}), ("a forged key", forged)):
        statuses = {
            tenant.service.send("GET", "/v1/status", headers).status,
            tenant.service.mcp(headers, "ping").status,
        }
        expect_status(name, statuses, HTTPStatus.UNAUTHORIZED)
    return "With a valid key 200, with none and with a forged one 401, at /mcp and at /v1."


def check_sign_in(tenant: ScratchTenant) -> str | Caution:
    """Check the challenge of a refused call, and the metadata that it names."""
    refused = tenant.service.mcp({}, "initialize")
    if set(load_mapping(refused.body) or ()) == {"message"}:
        # That is the form of the gateway's own refusals, which the authorizer of the template never asks for.
        _challenge_of(tenant, tenant.service.mcp({"authorization": "Bearer unknown"}, "initialize"))
        return Caution(
            f"The gateway itself answers a call without Authorization ({refused.status}), without a challenge. A call "
            "with an unknown key gets one. The authorizer must have no identity source: run `sam deploy`."
        )
    return _challenge_of(tenant, refused)


def _challenge_of(tenant: ScratchTenant, refused: HttpResponse) -> str | Caution:
    """Return a sentence about the challenge of a refusal by a function of the stack."""
    metadata = tenant.service.send("GET", _WELL_KNOWN, {})
    own, renamed = refused.headers.get(_CHALLENGE, ""), refused.headers.get(_RENAMED_CHALLENGE, "")
    if not (own or renamed):
        raise DefectFound(f"The answer {refused.status} has no challenge. {RESTORED_CHALLENGE}")
    if b'"error"' not in refused.body:
        raise DefectFound(f"The answer {refused.status} has no error in its body: deploy the stack again.")
    has_sign_in = metadata.status == HTTPStatus.OK
    if ("resource_metadata=" in (own or renamed)) != has_sign_in:
        raise DefectFound(f"The challenge and {_WELL_KNOWN} ({metadata.status}) disagree: deploy the stack again.")
    keys = f"{_WELL_KNOWN} has the provider" if has_sign_in else "only keys are accepted"
    if not own:
        return Caution(
            f"The gateway renames the challenge to {_RENAMED_CHALLENGE}; {keys}. Clients that read only the header "
            f"do not find it. {RESTORED_CHALLENGE}"
        )
    return f"The challenge arrives under its own name; {keys}."


def check_slash(tenant: ScratchTenant) -> str:
    """Check an address with a slash at its end."""
    answer = tenant.service.mcp(tenant.headers_of("agent", READER), "ping", path="/mcp/")
    expect_status("a call of /mcp/", {answer.status}, HTTPStatus.OK)
    return "/mcp/ answers as /mcp does."


def check_headers(tenant: ScratchTenant) -> str | Caution:
    """Check that functions got the identity headers of the context instead of the client's."""
    before = _header_counts(tenant)
    # The context lists tags in order and without spaces, and names the personal key's user, which no header does here.
    unlike = {COUNT_HEADER: "1", "x-session-tags": '[ "doctor:b", "doctor:a" ]'}
    tenant.service.mcp({**tenant.headers_of("agent", READER), **unlike}, "ping")
    tenant.service.send("GET", "/v1/status", {**tenant.headers_of("administrator"), COUNT_HEADER: "1"})
    compared, different = (now - then for now, then in zip(_header_counts(tenant), before, strict=True))
    if compared < _COUNTED_CALLS:
        raise DefectFound(
            f"The functions counted {compared} of {_COUNTED_CALLS} calls, so nothing is proved: they are of an earlier "
            "release, or their roles lack dynamodb:UpdateItem on SessionsTable."
        )
    if different:
        return Caution(
            f"No: in {different} of {compared} calls the functions got what the client sent. No decision reads these "
            "headers; restore the RequestParameters of the integrations with `sam deploy`."
        )
    return f"Overwritten: yes, in {compared} of {compared} calls that sent others."


def _header_counts(tenant: ScratchTenant) -> tuple[int, int]:
    counts = mapping_or_empty(tenant.report().get("headers"))
    return int(str(counts.get("compared") or 0)), int(str(counts.get("different") or 0))


def check_session(tenant: ScratchTenant) -> str:
    """Check the life of a session."""
    agent = tenant.headers_of("agent", READER)
    started = tenant.service.initialize(agent)
    session = started.headers.get("mcp-session-id", "")
    if started.status != HTTPStatus.OK or not session:
        raise DefectFound(f"initialize was answered with {started.status} and no session: read the log of McpFunction.")
    in_session = tenant.service.in_session(agent, session)
    expect_status("a call in the session", {tenant.service.mcp(in_session, "ping").status}, HTTPStatus.OK)
    expect_status("its end", {tenant.service.send("DELETE", "/mcp", in_session).status}, HTTPStatus.NO_CONTENT)
    expect_status("a call after its end", {tenant.service.mcp(in_session, "ping").status}, HTTPStatus.NOT_FOUND)
    return "200 within it, 204 at its end, 404 after it."
