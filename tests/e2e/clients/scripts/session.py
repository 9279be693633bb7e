"""One visit over any session object that has the methods of `mcp.ClientSession`: five of the clients have."""

from typing import Any

from tests.e2e.clients.scripts.visit import UNKNOWN_TOOL, Task, Told, address_of, pictures_of, text_of


async def visited(session: Any, task: Task, version: str | None, faults: tuple[type[Exception], ...]) -> Told:
    """Return what the session gives; `faults` are the classes by which this client raises an error of the server."""
    told = Told(version, tools=[tool.name for tool in (await session.list_tools()).tools])
    told.error = await failing(session.call_tool(UNKNOWN_TOOL, {}), faults)
    result = await session.call_tool(task.tool, task.arguments)
    told.answer = text_of(result.content)
    told.blocks = [block.type for block in result.content]
    told.refusal = await failing(session.call_tool(task.tool, task.impossible), faults)
    told.structured = getattr(result, "structured_content", getattr(result, "structuredContent", None))
    if task.pictures:
        told.pictures = pictures_of((await session.call_tool(*task.pictures)).content)
    if task.has_library:
        await _read(session, task, told)
        await _fill(session, task, told)
    return told


async def failing(call: Any, faults: tuple[type[Exception], ...]) -> str:
    """The text of the error that the call ends with, raised or returned; empty when it ends with none."""
    try:
        result = await call
    except faults as fault:
        return _words(fault)
    wrong = getattr(result, "is_error", getattr(result, "isError", False))
    return f"result: {text_of(result.content)}" if wrong else ""


def _words(fault: BaseException) -> str:
    """Return the text of the error; one that went through task groups lies inside of theirs."""
    inner: tuple[BaseException, ...] = getattr(fault, "exceptions", ())
    return "; ".join(map(_words, inner)) or f"{type(fault).__name__}: {fault}"


async def _read(session: Any, task: Task, told: Told) -> None:
    resources = (await session.list_resources()).resources
    told.resources = [resource.name for resource in resources]
    told.resource = text_of((await session.read_resource(address_of(resources, task.document))).contents)


async def _fill(session: Any, task: Task, told: Told) -> None:
    prompts = (await session.list_prompts()).prompts
    told.prompts = [prompt.name for prompt in prompts]
    filled = await session.get_prompt(*task.prompt)
    told.prompt = text_of(message.content for message in filled.messages)
