"""Evaluation of search."""

from typing import TYPE_CHECKING

from groundwire.wiring.lazy import Lazy

if TYPE_CHECKING:
    from groundwire.services.evaluate.conversation_recall import ConversationEvaluator
    from groundwire.services.evaluate.judged_questions import QuestionJudge
    from groundwire.services.evaluate.measurement import SearchEvaluator
    from groundwire.wiring.use_cases.reading import ReadingUseCases


class Evaluation:
    """Use cases that measure search, and need files or commands of a machine.

    They measure the very search that answers agents. What the REST API measures is in `ReadingUseCases`, since a
    deployment has that, too.
    """

    def __init__(self, reading: "ReadingUseCases") -> None:
        self._reading = reading

    @property
    def searches(self) -> "SearchEvaluator":
        """Evaluation of search with judged questions."""
        return self._reading.search_evaluator

    @Lazy
    def conversations(self) -> "ConversationEvaluator":
        """Evaluation of search with conversations."""
        from groundwire.services.evaluate.conversation_recall import ConversationEvaluator

        # No tenant: the server's own planner is measured.
        planner = self._reading.query_planners.for_tenant("", ())
        return ConversationEvaluator(self._reading.search, planner)

    @Lazy
    def question_judge(self) -> "QuestionJudge":
        """Judgement of what questions find, for the fit of relevance."""
        from groundwire.services.evaluate.judged_questions import QuestionJudge

        return QuestionJudge(self._reading.search)
