"""Who uses the bench target, and what they may see. Over stdio, and without tokens in the environment, it is everybody and everything."""
import os
import sys
from typing import Any
from mcp import MCPError
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.types import INVALID_PARAMS

PORT = int(sys.argv[sys.argv.index("--http") + 1]) if "--http" in sys.argv else 0
URL = f"http://127.0.0.1:{PORT}/mcp"
ISSUER = "https://auth.example.com"
# The tokens that the environment gives, and whose they are. With none everybody is let in.
USERS = {token: user for token, user in (
    (os.environ.get("TOKEN_OF_ANN"), ("ann", ["bench:read", "bench:use"])), (os.environ.get("TOKEN_OF_BOB"), ("bob", ["bench:read", "bench:use"])),
    (os.environ.get("TOKEN_THAT_READS"), ("ann", ["bench:read"]))) if token and PORT}


class Verifier:
    async def verify_token(self, token: str) -> AccessToken | None:
        if token not in USERS:
            return None
        subject, scopes = USERS[token]
        return AccessToken(token=token, client_id="bench-client", scopes=scopes, resource=URL, subject=subject, claims={"iss": ISSUER})


def protection() -> dict[str, Any]:
    if not USERS:
        return {}
    auth = AuthSettings(issuer_url=ISSUER, resource_server_url=URL, required_scopes=["bench:read"], validate_token_resource=True)
    return {"auth": auth, "token_verifier": Verifier()}


def may_see(item: Any) -> bool:
    """Whether the user may see what is listed under this name or URI: the diary is Ann's."""
    user = get_access_token()
    if item in ("dear_diary", "test://diary"):
        return user is not None and user.subject == "ann" and "bench:use" in user.scopes
    return item != "echo" or user is None or "bench:use" in user.scopes


async def know_users(ctx, call_next):
    """What a user may not see is left out of the lists, and is unknown when it is named. The list of resources sees to that before it makes pages."""
    params = ctx.params if isinstance(ctx.params, dict) else {}
    named = [params.get("name"), params.get("uri"), *(ref.values() if isinstance(ref := params.get("ref"), dict) else ())]
    if not all(may_see(item) for item in named):
        raise MCPError(INVALID_PARAMS, "there is nothing of that name")
    result = await call_next(ctx)
    for member in ("tools", "prompts"):
        if result and ctx.method == f"{member}/list":
            return {**result, member: [item for item in result[member] if may_see(item["name"])]}
    return result
