"""A call with a key never pays for what reads tokens."""

import json
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import json, sys
from groundwire.entry.authorizer import handler
def loaded(credential):
    context = handler({"headers": {"authorization": f"Bearer {credential}"}}, None)["context"]
    return [context["reason"], sorted({"jwt", "cryptography", "http.client", "ssl"} & set(sys.modules))]
print(json.dumps([loaded("gw_local_" + "0" * 61), loaded("a.b.c")]))
"""


def test_only_a_token_loads_what_tokens_need(tmp_path: Path) -> None:
    environment = {
        "GROUNDWIRE_HOME": str(tmp_path / "home"),
        "GROUNDWIRE_OAUTH_ISSUER": "https://id.example",
        "GROUNDWIRE_OAUTH_AUDIENCE": "a",
        "GROUNDWIRE_OAUTH_TENANT": "t_1",
        "GROUNDWIRE_OAUTH_USER_CLAIM": "sub",
    }
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
    with_key, with_token = json.loads(done.stdout)
    assert with_key == ["malformed_key", []]
    assert with_token[0] == "token_malformed"
    assert {"jwt", "cryptography"} <= set(with_token[1])
