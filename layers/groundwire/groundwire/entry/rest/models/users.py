"""Users: the tags that a tenant keeps for them."""

from groundwire.entry.rest.models.form import Sent, Tags, Told


class UserTags(Sent):
    """What the user holds, exactly."""

    tags: Tags


class UserRecord(Told):
    """A user's entry."""

    user: str
    tags: list[str]


class UserList(Told):
    """Every user that has an entry, by name."""

    users: list[UserRecord]


class GoneUser(Told):
    """A user that has no entry any more."""

    user: str
