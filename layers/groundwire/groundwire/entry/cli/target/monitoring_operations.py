"""Operations of commands on what is measured and recorded about a tenant: evaluations of search, ingestions."""

from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.action_client import ActionClient, rows_of


class EvaluationOperations:
    """Stored evaluations; each method raises Forbidden where the command's own key may not do it."""

    def __init__(self, client: ActionClient) -> None:
        self._client = client

    def all(self) -> list[Row]:
        """Return the evaluations, the latest first.

        Raises:
            NotFound: the deployment stores none.
        """
        return rows_of(self._client.execute("evaluation.list"), "evaluations")

    def show(self, evaluation_id: str) -> Row:
        """Return an evaluation as `evaluation`, with its questions as `per_question`.

        Raises:
            NotFound: there is no such evaluation.
        """
        return self._client.execute("evaluation.show", id=evaluation_id)

    def compare(self, evaluation_id: str, earlier: str, max_loss: float | None) -> Row:
        """Return the differences of an evaluation from an earlier one; `gate` is None without `max_loss`.

        Raises:
            NotFound: there is no such evaluation. InvalidInput: they have no question in common.
        """
        return self._client.execute("evaluation.compare", id=evaluation_id, earlier=earlier, max_loss=max_loss)

    def delete(self, evaluation_id: str) -> None:
        """Delete an evaluation.

        Raises:
            NotFound: there is no such evaluation.
        """
        self._client.execute("evaluation.delete", id=evaluation_id)


class IngestionOperations:
    """Runs of `groundwire ingest`; each method raises Forbidden where the command's own key may not do it."""

    def __init__(self, client: ActionClient) -> None:
        self._client = client

    def all(self) -> Row:
        """Return the runs as `ingestions`, the latest first, and the documents that are not read yet as `pending`."""
        return self._client.execute("ingestion.list")

    def show(self, run: str) -> Row:
        """Return a run.

        Raises:
            NotFound: there is no such run.
        """
        return self._client.execute("ingestion.show", id=run)

    def cancel(self, run: str) -> Row:
        """Request that a run ends after its present file, and return the run.

        Raises:
            NotFound: there is no such run. Conflict: it is not running.
        """
        return self._client.execute("ingestion.cancel", id=run)
