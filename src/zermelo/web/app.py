"""The application: the page and its files, the gallery of games, exports, and the one WebSocket."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from zermelo.errors import ZermeloError
from zermelo.web import comparing, equilibria, exercising, playing, ranges, sampling, saving, trees, watching
from zermelo.web.channel import Connection, Handler, converse, sentence_of
from zermelo.web.messages import logged, pack, whole
from zermelo.web.security import Gate, Keys
from zermelo.web.workbench import Workbench

__all__ = ["HANDLERS", "application"]

log = logging.getLogger("zermelo.web")

NOWHERE = """<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Zermelo</title><link rel="stylesheet" href="/static/base.css"></head>
  <body><main><h1>There is no page here</h1><p><a class="button primary" href="/">To the workbench</a></p></main></body>
</html>
"""
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".json": "application/json"}


async def ping(connection: Connection, message: dict[str, object]) -> None:
    """The browser says that it is there."""


async def stop(connection: Connection, message: dict[str, object]) -> None:
    """A search is stopped."""
    connection.stop(whole(message, "job", 1, 1 << 31))


HANDLERS: dict[str, Handler] = {
    "ping": ping,
    "stop": stop,
    **playing.HANDLERS,
    **trees.HANDLERS,
    **equilibria.HANDLERS,
    **comparing.HANDLERS,
    **sampling.HANDLERS,
    **exercising.HANDLERS,
    **watching.HANDLERS,
    **ranges.HANDLERS,
}


def static_files() -> dict[str, tuple[bytes, str]]:
    """Every file of the pages by its name, read once: no request ever becomes a path."""
    files = {}
    for entry in resources.files("zermelo.web").joinpath("static").iterdir():
        suffix = "." + entry.name.rpartition(".")[2]
        if entry.is_file() and suffix in TYPES:
            files[entry.name] = (entry.read_bytes(), TYPES[suffix])
    return files


class TooLargeError(ZermeloError):
    """A request with more than a page of ours would send."""


async def body_of(request: Request, most: int) -> dict[str, Any]:
    """The JSON object that a request brings."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise TooLargeError("This is too large.\n")
    try:
        wanted = json.loads(body)
    except (ValueError, RecursionError):
        raise ZermeloError("The request is not JSON.\n") from None
    if not isinstance(wanted, dict):
        raise ZermeloError("The request is not an object.")
    return wanted


async def nowhere(request: Request, error: Exception) -> Response:
    """An address that leads nowhere says so, and where to go instead."""
    log.warning("There is no page %s.", request.url.path[:100])
    return HTMLResponse(NOWHERE, 404)


def application(bench: Workbench, keys: Keys) -> ASGIApp:
    """The whole workbench behind its gate."""
    files = static_files()

    async def page(request: Request) -> Response:
        body, kind = files["index.html"]
        return Response(body, media_type=kind)

    async def file(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in files:
            log.warning("There is no file %r.", name[:100])
            return PlainTextResponse("There is no such file.\n", 404)
        body, kind = files[name]
        return Response(body, media_type=kind, headers={"Cache-Control": "no-cache"})

    async def games(request: Request) -> Response:
        assert bench.gallery is not None
        return Response(pack(await asyncio.shield(bench.gallery)), media_type="application/json")

    async def export(request: Request) -> Response:
        """A tree as a file."""
        try:
            wanted = await body_of(request, bench.bounds.message)
            content, ending = await bench.aside(trees.export, bench, wanted)
        except TooLargeError as error:
            log.warning("Refused an export of more than %d bytes.", bench.bounds.message)
            return PlainTextResponse(str(error), 413)
        except ZermeloError as error:
            log.warning("Refused an export: %s", logged(error))
            return PlainTextResponse(str(error), 400)
        except Exception as error:
            return PlainTextResponse(sentence_of(error), 500)
        return Response(content, media_type="text/plain", headers={"Content-Disposition": f"attachment; filename=tree.{ending}"})

    async def page_file(request: Request) -> Response:
        """What a page shows, as one HTML file that opens without a workbench."""
        try:
            wanted = await body_of(request, bench.bounds.message)
            content = await bench.aside(saving.page, bench, wanted, files)
        except ZermeloError as error:
            log.warning("Refused a page: %s", logged(error))
            return PlainTextResponse(str(error), 400)
        except Exception as error:
            return PlainTextResponse(sentence_of(error), 500)
        return Response(content, media_type="text/html", headers={"Content-Disposition": "attachment; filename=zermelo.html"})

    async def socket(websocket: WebSocket) -> None:
        await converse(websocket, bench, HANDLERS)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await bench.open()
        bench.spawn(watching.watch(bench))
        yield
        bench.close()

    routes = [
        Route("/", page),
        Route("/static/{name}", file),
        Route("/api/games", games),
        Route("/api/export", export, methods=["POST"]),
        Route("/api/page", page_file, methods=["POST"]),
        WebSocketRoute("/ws", socket),
    ]
    return Gate(Starlette(routes=routes, lifespan=lifespan, exception_handlers={404: nowhere}), keys)
