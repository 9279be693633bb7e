"""Calls over any session object that has the methods of `mcp.ClientSession`: five of the clients have one."""

from typing import Any

from tests.e2e.clients.scripts.client_run import UNKNOWN_TOOL, Report, Task, address_of, pictures_of, text_of


async def visited(session: Any, task: Task, version: str | None, errors: tuple[type[Exception], ...]) -> Report:
    """Return what the session gives; `faults` are the classes by which this client raises an error of the server."""
    reported = Report(version, tools=[tool.name for tool in (await session.list_tools()).tools])
    reported.error = await failing(session.call_tool(UNKNOWN_TOOL, {}), errors)
    result = await session.call_tool(task.tool, task.arguments)
    reported.answer = text_of(result.content)
    reported.blocks = [block.type for block in result.content]
    reported.refusal = await failing(session.call_tool(task.tool, task.impossible), errors)
    reported.structured = getattr(result, "structured_content", getattr(result, "structuredContent", None))
    if task.pictures:
        reported.pictures = pictures_of((await session.call_tool(*task.pictures)).content)
    if task.has_library:
        await _read(session, task, reported)
        await _fill(session, task, reported)
    return reported


async def failing(call: Any, errors: tuple[type[Exception], ...]) -> str:
    """The text of the error that the call ends with, raised or returned; empty when it ends with none."""
    try:
        result = await call
    except errors as wire_error:
        return _words(wire_error)
    wrong = getattr(result, "is_error", getattr(result, "isError", False))
    return f"result: {text_of(result.content)}" if wrong else ""


def _words(wire_error: BaseException) -> str:
    """Return the text of the error; one that went through task groups lies inside of theirs."""
    inner: tuple[BaseException, ...] = getattr(wire_error, "exceptions", ())
    return "; ".join(map(_words, inner)) or f"{type(wire_error).__name__}: {wire_error}"


async def _read(session: Any, task: Task, reported: Report) -> None:
    resources = (await session.list_resources()).resources
    reported.resources = [resource.name for resource in resources]
    reported.resource = text_of((await session.read_resource(address_of(resources, task.document))).contents)


async def _fill(session: Any, task: Task, reported: Report) -> None:
    prompts = (await session.list_prompts()).prompts
    reported.prompts = [prompt.name for prompt in prompts]
    filled = await session.get_prompt(*task.prompt)
    reported.prompt = text_of(message.content for message in filled.messages)
