"""Who may enter: host, origin, token and cookie; what every answer forbids; which files there are."""

import pytest
from speaking import Page, visit
from websockets.exceptions import InvalidStatus

from zermelo.web.server import Server


def test_the_address_turns_its_token_into_a_cookie(workbench: Server) -> None:
    status, headers, _ = visit(workbench, f"/?token={workbench.keys.token}", cookie=False)
    assert status == 303
    assert headers["location"] == "/"
    cookie = headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert workbench.keys.pass_word.lower() in cookie
    assert workbench.keys.token.lower() not in cookie


@pytest.mark.parametrize("path", ["/", "/?token=wrong", "/?token=", "/static/app.js", "/api/games", "/nothing"])
def test_nobody_enters_without_the_key(workbench: Server, path: str) -> None:
    status, _, text = visit(workbench, path, cookie=False)
    assert status == 403
    assert "zermelo web" in text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:1913", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}"])
def test_a_forged_host_is_refused(workbench: Server, host: str) -> None:
    status, _, _ = visit(workbench, "/", host=host.format(port=workbench.keys.port))
    assert status == 421


def test_both_names_of_this_machine_are_known(workbench: Server) -> None:
    assert visit(workbench, "/", host=f"localhost:{workbench.keys.port}")[0] == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "https://127.0.0.1:{port}", "http://127.0.0.1:1"])
def test_another_site_cannot_ask_for_anything(workbench: Server, origin: str) -> None:
    forged = origin.format(port=workbench.keys.port)
    headers = {"origin": forged} if forged else {}
    assert visit(workbench, "/api/export", body={}, **headers)[0] == 403


REFUSED = [
    ({"origin": "http://evil.example"}, "another site"),
    ({"origin": ""}, "no origin at all"),
    ({"cookie": "zermelo=guess"}, "no key"),
    ({"host": "evil.example"}, "another host"),
]


@pytest.mark.parametrize(("forged", "who"), REFUSED, ids=[who for _, who in REFUSED])
def test_a_websocket_is_refused_before_it_is_accepted(workbench: Server, forged: dict[str, str], who: str) -> None:
    with pytest.raises(InvalidStatus) as refusal, Page.open(workbench, **forged):
        raise AssertionError(f"{who} was let in")
    assert refusal.value.response.status_code == 403


def test_every_answer_forbids_foreign_and_inline_script(workbench: Server) -> None:
    for path in ("/", "/static/app.js", "/api/games", "/nothing"):
        _, headers, _ = visit(workbench, path)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"


OUTSIDE = ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static/app.py", "/static/", "/static/sub/app.js"]


@pytest.mark.parametrize("path", OUTSIDE)
def test_no_path_leads_outside_the_static_files(workbench: Server, path: str) -> None:
    assert visit(workbench, path)[0] in (404, 405)


def test_the_page_has_no_inline_script_or_style(workbench: Server) -> None:
    _, _, text = visit(workbench, "/")
    assert "<script>" not in text
    assert " style=" not in text
    assert " onclick=" not in text


def test_an_address_that_leads_nowhere_says_where_to_go(workbench: Server) -> None:
    status, headers, text = visit(workbench, "/some/where")
    assert status == 404
    assert 'href="/"' in text
    assert "default-src 'none'" in headers["content-security-policy"]
