"""Event sources as CloudFormation would have made them: the emulator leaves a parameter's number a text there, and then
compares it with numbers."""

from tests.engines.ministack import Account


def put_right(account: Account) -> None:
    """The most functions that a queue may keep busy is a number."""
    functions = account.functions
    for mapping in functions.list_event_source_mappings()["EventSourceMappings"]:
        most = mapping.get("ScalingConfig", {}).get("MaximumConcurrency")
        if most is not None:
            functions.update_event_source_mapping(
                UUID=mapping.get("UUID", ""), ScalingConfig={"MaximumConcurrency": int(most)}
            )
