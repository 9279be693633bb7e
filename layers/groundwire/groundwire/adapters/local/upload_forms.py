"""Upload forms of one machine: like those of S3, but what they allow is sealed by this server, which takes the file."""

import json
from base64 import b64encode
from collections.abc import Mapping
from typing import Final, cast

from groundwire.adapters.key_names import checked_tenant
from groundwire.ports import Seal
from groundwire.ports.upload_addresses import SEALED_FIELD, UploadForm, UploadTerms

_PURPOSE: Final = "upload"


class LocalUploadForms:
    """Implements `ports.upload_addresses.SealedForms`.

    The field `policy` holds, sealed, the JSON array of the terms' members.
    """

    def __init__(self, seal: Seal, public_url: str) -> None:
        self._seal = seal
        self._public_url = public_url.rstrip("/")

    def form(self, terms: UploadTerms) -> UploadForm:
        """Sent to this server, at the address that people reach it by."""
        members = [terms.tenant, terms.ticket, terms.path, terms.size, terms.content_type, terms.sha256, terms.ends_at]
        policy = self._seal.seal(_PURPOSE, json.dumps(members).encode())
        # First, as most clients keep the order: a form without a ticket is then refused at once.
        return UploadForm(f"{self._public_url}/upload/{terms.ticket}", {SEALED_FIELD: policy} | _named(terms))

    def opened(self, sealed: str) -> UploadTerms | None:
        """Returns the terms; None for what was not sealed here."""
        payload = self._seal.unseal(_PURPOSE, sealed)
        if payload is None:
            return None
        return UploadTerms(*cast("tuple[str, str, str, int, str, str, int]", tuple(json.loads(payload))))

    def terms(self, ticket: str, fields: Mapping[str, str]) -> UploadTerms | None:
        """Every field has to be there as it was given; others are nobody's concern."""
        terms = self.opened(fields.get(SEALED_FIELD, ""))
        if terms is None:
            return None
        agreed = _named(terms)
        same = terms.ticket == ticket and all(fields.get(name) == value for name, value in agreed.items())
        return terms if same else None


def _named(terms: UploadTerms) -> dict[str, str]:
    return {
        "key": f"tenants/{checked_tenant(terms.tenant)}/{terms.path}",
        "Content-Type": terms.content_type,
        "x-amz-checksum-sha256": b64encode(bytes.fromhex(terms.sha256)).decode(),
    }
