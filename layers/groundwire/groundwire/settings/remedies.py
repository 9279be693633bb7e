"""Remedies of errors in the words of the command line, which names commands and settings."""

from types import MappingProxyType
from typing import Final

from groundwire.domain.error_codes import COMMAND_HINTS, Hints

OPERATOR_HINTS: Final[Hints] = MappingProxyType(
    {
        **COMMAND_HINTS,
        "delete_tenant": "Delete it with `groundwire tenant delete`.",
        "allow_host": "GROUNDWIRE_EGRESS_ALLOW can allow a host with its port.",
        "move_home": "You can also set GROUNDWIRE_HOME to another folder.",
        "install_model": "Install it with `groundwire model add`: the same name, revision and options.",
        "rebuild_index": "Rebuild the index with `groundwire reindex`.",
        "restore_embedder": "Rebuild the index with `groundwire reindex`, or set GROUNDWIRE_EMBEDDER back.",
        "end_model_change": "Wait until it is complete, or cancel it with `groundwire reindex TENANT --abandon`.",
        "ingest_again": "Then run `groundwire ingest` again.",
        "set_identity_provider": "Set GROUNDWIRE_OAUTH_ISSUER and the settings that belong to it (docs/oauth.md).",
        "set_identity_tenant": "Correct GROUNDWIRE_OAUTH_TENANT.",
        "run_doctor": "Check the installation with `groundwire doctor`.",
    }
)
"""Hints for a person at the command line, on the server or through AWS."""
