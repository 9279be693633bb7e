"""A mail as its owner left it: a document that carries others, under one policy with them."""

from dataclasses import dataclass, field

from groundwire.domain.access.policy import Policy
from tests.support.documents.mail_parser import mail
from tests.support.documents.plain_text_parser import UNREADABLE
from tests.support.isolation.expectations import Held
from tests.support.isolation.policies import NO_READERS


@dataclass(slots=True)
class Carried(Held):
    """An attachment; `damaged` when what the mail holds in its place now cannot be read."""

    damaged: bool = False

    @property
    def content(self) -> bytes:
        """Return the content of the mail."""
        return UNREADABLE if self.damaged else self.text.encode()

    def comes_under(self, policy: Policy) -> None:
        """Set the policy; a damaged mail keeps its readers or, under another policy, has none."""
        self.policy = NO_READERS if self.damaged and policy != self.policy else policy


@dataclass(slots=True)
class HeldMail(Held):
    """The mail itself."""

    carries: list[Carried] = field(default_factory=list[Carried])

    @property
    def living(self) -> list[Carried]:
        """Attachments that it still has."""
        return [each for each in self.carries if not each.deleted]

    @property
    def text(self) -> str:
        """The file."""
        held = [(each.path, each.content) for each in self.living]
        return mail(self.pictured, held).decode()
