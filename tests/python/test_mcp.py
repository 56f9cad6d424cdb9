"""`diya mcp`, asked by the Python client of the protocol, and by bytes that are none."""

from __future__ import annotations

import asyncio
import base64
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import diya
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult, ImageContent, TextContent, TextResourceContents

#: Starts the server of the installed package.
COMMAND = ["-m", "diya", "mcp"]

#: A question that has no answer within any time: 10^18 rows.
ENDLESS = "select sum(a.value + b.value + c.value) from " + ", ".join(
    f"generate_series(1, 1000000) as {name}(value)" for name in "abc"
)


def ask(questions: Callable[[ClientSession], Awaitable[Any]]) -> Any:
    """Starts a server, asks it, and ends it."""

    async def session() -> Any:
        server = StdioServerParameters(command=sys.executable, args=COMMAND)
        async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
            await client.initialize()
            return await questions(client)

    return asyncio.run(asyncio.wait_for(session(), 120))


def answer(tool: str, **arguments: Any) -> CallToolResult:
    async def question(client: ClientSession) -> CallToolResult:
        return await client.call_tool(tool, arguments)

    result = ask(question)
    assert isinstance(result, CallToolResult)
    return result


def text(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def test_tools_and_pages_are_listed_and_change_nothing() -> None:
    async def question(client: ClientSession) -> Any:
        tools = (await client.list_tools()).tools
        pages = (await client.list_resources()).resources
        page = await client.read_resource(pages[0].uri)
        return tools, pages, page.contents[0]

    tools, pages, page = ask(question)
    names = {tool.name for tool in tools}
    assert names == {"open", "report", "findings", "explain", "sql", "compare", "plot"}
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
    assert len(pages) > 90 and isinstance(page, TextResourceContents)
    assert "## What to do" in page.text


def test_answers_are_those_of_the_package(log: str, job: diya.Job) -> None:
    async def question(client: ClientSession) -> Any:
        findings = await client.call_tool("findings", {"logs": [log]})
        report = await client.call_tool("report", {"logs": [log], "detail": "brief"})
        calls = {"logs": [log], "query": "select op, sum(size_bytes) as bytes from call group by op"}
        units = await client.call_tool("sql", calls)
        exact = await client.call_tool("sql", {**calls, "exact": True})
        return [text(answer) for answer in (findings, report, units, exact)]

    findings, report, units, exact = ask(question)
    (found,) = json.loads(findings)
    own = job.report()
    assert found["verdict"] == own.verdict.text
    assert found["run_s"] == own.to_dict()["job"]["run_s"]
    assert [one["id"] for one in found["findings"]] == [one.id for one in own.findings]
    assert found["findings"][0]["saved_s"] == own.to_dict()["findings"][0]["saved_s"]
    assert "I/O takes" in report.split("\n\n")[0]
    assert units == "op        bytes\nwrite  1.95 MiB\n[1 row]\n"
    assert exact == "op,bytes\nwrite,2048000\n[1 row]\n"


def test_a_comparison_and_a_picture(log: str) -> None:
    assert "equal within run-to-run variation" in text(answer("compare", before=[log], after=[log]))
    words, picture = answer("plot", logs=[log], view="timeline").content
    assert isinstance(words, TextContent) and isinstance(picture, ImageContent)
    assert base64.b64decode(picture.data).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("open", {"logs": ["/nowhere/a.diya"]}, "/nowhere/a.diya: no such file"),
        ("open", {"logs": ["-"]}, "`-` is not a file"),
        ("open", {"logs": ["/dev/stdin"]}, "neither a file nor a directory"),
        ("report", {"logs": []}, "no log is named"),
        ("report", {"logs": ["LOG"], "detail": "all"}, "unknown variant"),
        ("sql", {"logs": ["LOG"], "query": "select * from cal"}, "`explain` lists"),
        ("sql", {"logs": ["LOG"], "query": "create table x as select 1"}, "not supported"),
        ("sql", {"logs": ["LOG"], "query": "select * from '/etc/passwd'"}, "there is no table"),
        ("sql", {"logs": ["LOG"], "query": "select " + "1+" * 40_000 + "1"}, "bytes"),
        ("sql", {"logs": ["LOG"], "query": "select * from generate_series(1, 99999)"}, "limit"),
        ("plot", {"logs": ["LOG"], "view": "cake"}, "there are timeline"),
        ("plot", {"logs": ["LOG"], "view": "ranks", "width": 1_000_000}, "at most 2000"),
        ("explain", {"name": "PX10"}, "nearest"),
    ],
)
def test_a_wrong_question_has_a_reason(log: str, tool: str, arguments: dict[str, Any], reason: str) -> None:
    if arguments.get("logs") == ["LOG"]:
        arguments = {**arguments, "logs": [log]}
    result = answer(tool, **arguments)
    assert result.is_error and reason in text(result), text(result)


def test_an_endless_query_ends_and_the_next_one_is_answered(log: str) -> None:
    async def question(client: ClientSession) -> str:
        endless = {"logs": [log], "query": ENDLESS}
        with pytest.raises(Exception, match="(?i)time"):
            await client.call_tool("sql", endless, read_timeout_seconds=1)
        return text(await client.call_tool("sql", {"logs": [log], "query": "select 1 as one"}))

    assert ask(question) == "one\n  1\n[1 row]\n"


def test_escape_sequences_of_a_log_do_not_reach_the_assistant(tmp_path: Path) -> None:
    trace = tmp_path / "strace.txt"
    name = r"/tmp/a\33[2Jb"
    trace.write_text(f'1 1700000000.000000 openat(AT_FDCWD, "{name}", O_RDONLY) = 3 <0.000010>\n' * 3)
    shown = text(answer("sql", logs=[str(trace)], query="select path from file"))
    assert "\x1b" not in shown and "[2Jb" in shown


def test_bytes_that_are_no_protocol_do_not_end_the_server() -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "0"},
        },
    }
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    list_tools = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    no_tool = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "delete"}}
    no_method = {"jsonrpc": "2.0", "id": 4, "method": "delete/everything"}
    lines = [
        json.dumps(hello).encode(),
        json.dumps(ready).encode(),
        b"{ not json",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"jsonrpc": "2.0", "id": 9, "method": "' + b"x" * (2 << 20) + b'"}',
        json.dumps(no_tool).encode(),
        json.dumps(no_method).encode(),
        json.dumps(list_tools).encode(),
    ]
    server = subprocess.Popen([sys.executable, *COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin and server.stdout
    server.stdin.write(b"\n".join(lines) + b"\n")
    server.stdin.flush()
    answers: dict[Any, Any] = {}
    while not {1, 2, 3, 4} <= answers.keys():
        message = json.loads(server.stdout.readline())
        answers[message.get("id")] = message
    server.stdin.close()
    assert server.wait(10) == 0
    assert len(answers[2]["result"]["tools"]) == 7
    assert "there is no tool" in answers[3]["error"]["message"]
    assert answers[4]["error"]["code"] == -32601


def test_a_client_that_leaves_at_once_is_no_error() -> None:
    done = subprocess.run([sys.executable, *COMMAND], input=b"", capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
