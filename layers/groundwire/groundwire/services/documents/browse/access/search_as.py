"""Search as another person: an administrator gets the passages that this person's own call would get.

The functions that authorize a call make the person, so a blocked user stays blocked and a bound of a key holds.
"""

from typing import TYPE_CHECKING, Final

from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.errors import Forbidden
from groundwire.domain.keys.sharing import is_bounded
from groundwire.services.documents.browse.access.person import caller_of
from groundwire.services.documents.browse.access.view import caller_access

if TYPE_CHECKING:
    from groundwire.domain.keys.caller import Caller
    from groundwire.ports import Clock
    from groundwire.services.documents.browse.access.person import PersonQuery, PersonResolver

_RIGHT_REQUIRED: Final = (
    "A search as another person needs an administrator's key without bounds that has `may_search_as`."
)
_USER_REQUIRED: Final = "A search as another person is recorded with both names: name your own user in the call."


class PersonImpersonation:
    """Maker of the caller of a search as another person."""

    def __init__(self, resolve: "PersonResolver", clock: "Clock") -> None:
        self._resolve = resolve
        self._clock = clock

    def __call__(self, administrator: "Caller", query: "PersonQuery") -> "Caller":
        """Return the caller that a call of the person would have.

        Raises:
            Forbidden: the administrator's key may not search as somebody else, or every call of the person is refused.
            NotFound: there is no such key.
            InvalidInput: the user or a tag is not valid, or the key takes no user and tags from its calls.
        """
        self.check(administrator)
        person = self._resolve(caller_access(administrator), query)
        if person.denial is not None:
            raise Forbidden(f"Every call of this person is refused: {person.denial.value}.")
        return caller_of(person, self._clock())

    @staticmethod
    def check(administrator: "Caller") -> None:
        """Check that a key may search as other people.

        Raises:
            Forbidden: it may not.
        """
        # Also where a key of a store has the option beside a bound: then it must not reach beyond the bound.
        is_allowed = administrator.options.may_search_as and not is_bounded(administrator)
        if not is_allowed or missing_scope(administrator.scopes, Scope.ADMIN) is not None:
            raise Forbidden(_RIGHT_REQUIRED)
        if administrator.principal.user is None:
            raise Forbidden(_USER_REQUIRED)
