"""Evaluation of search."""

from typing import TYPE_CHECKING

from groundwire.wiring.lazy import Lazy

if TYPE_CHECKING:
    from groundwire.services.evaluate.conversation_recall import ConversationEvaluator
    from groundwire.services.evaluate.judged_questions import QuestionJudge
    from groundwire.services.evaluate.measurement import SearchEvaluator
    from groundwire.wiring.local.backends import LocalBackends
    from groundwire.wiring.use_cases.reading import ReadingUseCases


class Evaluation:
    """Use cases that measure search."""

    def __init__(self, backends: "LocalBackends", reading: "ReadingUseCases") -> None:
        self._settings, self._clock = backends.settings, backends.clock
        self._stores, self._models = backends.stores, backends.models
        self._reading = reading

    @Lazy
    def searches(self) -> "SearchEvaluator":
        """Evaluation of search with judged questions."""
        from groundwire.services.evaluate.measurement import SearchEvaluator
        from groundwire.services.search import Search

        # The report shows both orders, so that a reader sees what the reranker adds.
        search_without_reranker = Search(
            self._stores.indexes,
            self._models.embedders,
            self._stores.documents,
            self._stores.collections,
            None,
            self._settings.relevance_fits,
            self._clock,
        )
        return SearchEvaluator(self._reading.search, search_without_reranker)

    @Lazy
    def conversations(self) -> "ConversationEvaluator":
        """Evaluation of search with conversations."""
        from groundwire.services.evaluate.conversation_recall import ConversationEvaluator

        return ConversationEvaluator(self._reading.search, self._reading.query_planner)

    @Lazy
    def question_judge(self) -> "QuestionJudge":
        """Judgement of what questions find, for the fit of relevance."""
        from groundwire.services.evaluate.judged_questions import QuestionJudge

        return QuestionJudge(self._reading.search)
