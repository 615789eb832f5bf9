"""Who may speak with the workbench: this machine's user, from the workbench's own pages.

    Host     must be an address of this machine with our port, so that no other name can be made to point here
    Origin   must be our own for everything but plain reading, so that no other site's page can speak for the user
    cookie   is given in exchange for the token in the address that was printed at the start; without it nothing is answered

All of it is checked before a request reaches a page, and before a WebSocket is accepted. Every answer carries a
Content-Security-Policy that allows our own files and nothing inline.
"""

import hmac
import logging
import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Gate", "Keys"]

log = logging.getLogger("zermelo.web")

READING = ("GET", "HEAD")
COOKIE_SECONDS = 30 * 24 * 3600


class Keys:
    """The secrets of one running workbench, and the addresses that it answers to."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.token = secrets.token_urlsafe(24)  # in the address
        self.pass_word = secrets.token_urlsafe(24)  # in the cookie
        self.cookie = f"zermelo-{port}"  # cookies know no ports, so two workbenches need two names
        self.hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        if port == 80:
            self.hosts |= {"127.0.0.1", "localhost"}

    @property
    def address(self) -> str:
        """Where the user enters."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    @property
    def policy(self) -> str:
        """Our own files, our own WebSocket, pictures made in the page; no inline script, no frame, no form."""
        sockets = " ".join(f"ws://{host}" for host in sorted(self.hosts))
        return (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
            f"connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )

    def knows_token(self, query: bytes) -> bool | None:
        """Is the token in the query ours? None where there is none."""
        given = parse_qs(query.decode("latin-1")).get("token")
        return None if given is None else hmac.compare_digest(given[0].encode(), self.token.encode())

    def knows_cookie(self, headers: Headers) -> bool:
        jar: SimpleCookie = SimpleCookie()
        try:
            jar.load(headers.get("cookie", ""))
        except CookieError:
            return False
        held = jar.get(self.cookie)
        return held is not None and hmac.compare_digest(held.value.encode(), self.pass_word.encode())


class Gate:
    """Stands before the whole application."""

    def __init__(self, app: ASGIApp, keys: Keys) -> None:
        self.app, self.keys = app, keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if scope["type"] == "websocket":
            await self._socket(headers, scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._seal(MutableHeaders(scope=message))
            await send(message)

        answer = self._refusal(headers, scope) or self._entrance(headers, scope)
        await (answer or self.app)(scope, receive, guarded)

    async def _socket(self, headers: Headers, scope: Scope, receive: Receive, send: Send) -> None:
        """A WebSocket is accepted by nobody before host, origin and cookie are right."""
        reason = self._wrong_host(headers) or self._wrong_origin(headers) or ("" if self.keys.knows_cookie(headers) else "no valid cookie")
        if not reason:
            await self.app(scope, receive, send)
            return
        log.warning("Refused a WebSocket: %s.", reason)
        await receive()  # the request to connect
        await send({"type": "websocket.close", "code": 4403, "reason": "refused"})

    def _refusal(self, headers: Headers, scope: Scope) -> Response | None:
        reason = self._wrong_host(headers)
        if reason:
            log.warning("Refused %s: %s.", scope["path"][:100], reason)
            return PlainTextResponse("This is not the address of a Zermelo workbench.\n", 421)
        if scope["method"] not in READING and (reason := self._wrong_origin(headers)):
            log.warning("Refused %s: %s.", scope["path"][:100], reason)
            return PlainTextResponse("Another site may not ask for this.\n", 403)
        return None

    def _entrance(self, headers: Headers, scope: Scope) -> Response | None:
        """Token → cookie; without a cookie nobody comes in."""
        known = self.keys.knows_token(scope["query_string"]) if scope["path"] == "/" else None
        if known:
            answer = RedirectResponse("/", 303)
            answer.set_cookie(self.keys.cookie, self.keys.pass_word, COOKIE_SECONDS, httponly=True, samesite="lax")
            return answer
        if known is None and self.keys.knows_cookie(headers):
            return None
        log.warning("Refused %s: %s.", scope["path"][:100], "no valid cookie" if known is None else "a wrong token")
        return PlainTextResponse(
            "Please open the address that `zermelo web` printed when it started: it holds the key to this page.\n", 403
        )

    def _wrong_host(self, headers: Headers) -> str:
        host = headers.get("host", "")
        return "" if host in self.keys.hosts else f"the host {host[:100]!r} is not ours"

    def _wrong_origin(self, headers: Headers) -> str:
        origin = headers.get("origin", "")
        return "" if origin == f"http://{headers.get('host', '')}" else f"the origin {origin[:100]!r} is not ours"

    def _seal(self, headers: MutableHeaders) -> None:
        headers["Content-Security-Policy"] = self.keys.policy
        headers["X-Content-Type-Options"] = "nosniff"
        headers["Referrer-Policy"] = "no-referrer"
        headers["Cross-Origin-Opener-Policy"] = "same-origin"
        headers["Cross-Origin-Resource-Policy"] = "same-origin"
        headers.setdefault("Cache-Control", "no-store")
