"""The stack with a collection that refuses the ids of its writers: documents are found, replaced and forgotten."""

from collections.abc import Mapping

from tests.e2e.cloud.collection import opened_collection
from tests.e2e.cloud.company import founded
from tests.e2e.cloud.conftest import deploying
from tests.support.aws.deployment.artifacts import Artifact
from tests.support.aws.deployment.waiting import until

QUESTION = "How long is the leave?"


def test_the_deployed_writer_continues_without_ids_where_the_service_refuses_them(
    built: Mapping[str, Artifact], opensearch_url: str
) -> None:
    with opened_collection(opensearch_url) as collection, deploying(built, opensearch_url) as deployment:
        collection.serve(deployment)
        company = founded(deployment, "acme")
        company.put("notes/.policy.yaml", b"public: true")
        company.put("notes/leave.md", b"# Leave\n\nIt takes 27 days.\n")
        company.reconciled("notes/leave.md")
        assert {found.rule for found in collection.broken} == {"custom-document-id"}
        agent = company.agent("maria")
        assert agent.files(QUESTION) == {"leave.md"}

        refused = len(collection.broken)
        company.put("notes/travel.md", b"# Leave\n\nA journey counts as leave.\n")
        company.reconciled("notes/travel.md")
        assert agent.files(QUESTION) == {"leave.md", "travel.md"}
        # The index remembers the refusal: no bulk with ids is sent again.
        assert len(collection.broken) == refused

        company.remove("notes/leave.md")
        until(lambda: agent.files(QUESTION) == {"travel.md"}, "the deleted file is found no more")
