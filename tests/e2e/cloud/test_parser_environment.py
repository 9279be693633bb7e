"""The stack for accounts and Regions that refuse tenant isolation or another VPC: documents are parsed all the same."""

from collections.abc import Mapping

from tests.e2e.cloud.company import founded
from tests.e2e.cloud.conftest import deploying
from tests.support.aws.deployment.artifacts import Artifact


def test_documents_are_found_with_a_parser_in_the_open_network_that_ends_after_each(
    built: Mapping[str, Artifact], opensearch_url: str
) -> None:
    with deploying(built, opensearch_url, ParserIsolation="environment", ParserNetwork="open") as deployment:
        made = deployment.stack.resources
        assert not [name for name in made if name.startswith(("ParserVpc", "ParserSubnet", "ParserBucketEndpoint"))]
        company = founded(deployment, "acme")
        company.put("notes/.policy.yaml", b"public: true")
        for number in range(2):
            company.put(f"notes/leave-{number}.md", f"# Leave {number}\n\nIt takes {30 + number} days.\n".encode())
        for number in range(2):
            company.reconciled(f"notes/leave-{number}.md")
        assert company.agent("maria").files("How long is the leave?") == {"leave-0.md", "leave-1.md"}
