"""The requests of Mindset AI's page, with URL and key changed only, are answered by the demo's key for agents."""

import json
import subprocess

import pytest

from tests.support.clients.agent import Agent
from tests.support.documentation import mindset_page
from tests.support.entry.demo_server import Server


@pytest.mark.parametrize("request_of_the_page", mindset_page.REQUESTS)
def test_the_demos_key_answers_with_a_passage_that_only_one_of_the_tags_opens(
    server: Server, demo_agent: Agent, request_of_the_page: str
) -> None:
    key = json.loads((server.home / "demo-keys.json").read_text())["act_as"]
    assert key in server.printed
    typed = mindset_page.command(request_of_the_page, server.url, key)
    answer = subprocess.run(["bash", "-c", typed], capture_output=True, check=True, text=True, timeout=60).stdout

    def opens(segment_uid: str, *tags: str) -> bool:
        return demo_agent.speaking_for("user@example.com", tags).verify(segment_uid)["has_access"]

    shown = mindset_page.segments(answer)
    assert 5 <= len(shown) <= 10
    by_tag = {
        segment["source_file_name"]: [tag for tag in mindset_page.TAGS[request_of_the_page] if opens(uid, tag)]
        for segment in shown
        if not opens(uid := segment["segment_uid"])
    }
    assert by_tag
    assert set(map(tuple, by_tag.values())) == {("department:sales",)}
