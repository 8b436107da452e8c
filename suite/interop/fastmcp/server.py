"""A small server on PyPI fastmcp. stdio by default; `--http PORT` for Streamable HTTP."""

import asyncio
import sys

from fastmcp import Context, FastMCP
from pydantic import BaseModel

READS = {"readOnlyHint": True, "openWorldHint": False}
mcp = FastMCP("bench-fastmcp", instructions="bench target", version="1.0.0")


class Sum(BaseModel):
    sum: int


@mcp.tool(annotations=READS)
def echo(text: str) -> str:
    """Echo text"""
    return text


@mcp.tool(annotations=READS)
def add(a: int, b: int) -> Sum:
    """Add two integers"""
    return Sum(sum=a + b)


@mcp.tool(annotations=READS)
def fail() -> str:
    """Always fails"""
    raise ValueError("it failed")


@mcp.tool(annotations=READS)
async def slow(ctx: Context, steps: int = 3, ms: int = 20) -> str:
    """Sleeps with progress and logs"""
    for step in range(1, min(steps, 100) + 1):
        await asyncio.sleep(min(ms, 1000) / 1000)
        await ctx.report_progress(step, steps)
        await ctx.info(f"step {step}")
    return "done"


@mcp.tool
def forget() -> str:
    """Says nothing of what it does, and so is not called"""
    return "forgotten"


@mcp.resource("test://static", mime_type="text/plain")
def static() -> str:
    return "static text"


@mcp.resource("test://item/{id}", mime_type="text/plain")
def item(id: str) -> str:
    return f"item {id}"


@mcp.prompt
def greet(name: str) -> str:
    """Greets"""
    return f"Greet {name}"


if __name__ == "__main__":
    if "--http" in sys.argv:
        port = int(sys.argv[sys.argv.index("--http") + 1])
        mcp.run(transport="http", host="127.0.0.1", port=port, show_banner=False)
    else:
        mcp.run(show_banner=False)
