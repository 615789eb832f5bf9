"""Tables that are kept: what is saved is loaded, what is not this table's is refused, and an old file survives whatever happens."""

import os

import numpy as np
import pytest

from zermelo import ZermeloError
from zermelo.search.kept_table import Table


def table(game="Nim()", owner="rules", kind="deepening", width=4, entries=100, fill=True):
    made = Table(game, owner, kind, width, entries)
    if fill:
        made.words[:] = np.arange(width * entries)
    return made


def test_a_table_keeps_its_words_when_room_is_made_in_front():
    kept = table()
    kept.next_generation()
    kept.make_room(1_000)
    assert kept.start >= 1_000
    assert kept.words.tolist() == list(range(400))
    kept.make_room(10)
    assert kept.start >= 1_000


def test_a_table_keeps_its_words_in_larger_pages():
    table = Table("g", "rules", "search", 6, 1 << 19)
    table.words[::4097] = 7
    before = table.words.copy()
    for _ in range(2):
        table.enlarge_pages()
        assert np.array_equal(table.words, before)
    table.make_room(1 << 12)
    table.enlarge_pages()
    assert np.array_equal(table.words, before)


def test_generations_return_after_255():
    kept = table(entries=1)
    assert [kept.next_generation() for _ in range(256)] == [*range(1, 256), 1]


def test_what_is_saved_is_loaded(tmp_path):
    kept = table()
    kept.make_room(64)
    kept.next_generation()
    kept.save(tmp_path / "nim.table")
    again = table(fill=False)
    again.load(tmp_path / "nim.table")
    assert again.words.tolist() == list(range(400))
    assert again.generation == 1
    assert [file.name for file in tmp_path.iterdir()] == ["nim.table"]


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"game": "Nim((1, 2))"}, "belongs to Nim"),
        ({"owner": "other rules"}, "another version"),
        ({"kind": "deepening null_move=1"}, "another version"),
        ({"entries": 50}, "has 3,200 bytes, not 1,600"),
        ({"width": 5}, "bytes"),
    ],
)
def test_the_table_of_another_game_version_or_length_is_refused(tmp_path, other, words):
    table().save(tmp_path / "nim.table")
    mine = table(**other, fill=False)
    with pytest.raises(ZermeloError, match=words.replace("(", r"\(")):
        mine.load(tmp_path / "nim.table")
    assert not mine.words.any()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: b"",
        lambda content: b"not a table\n" + content,
        lambda content: content[:-8],
        lambda content: content + b"\0" * 8,
        lambda content: content[:-1] + bytes([content[-1] ^ 1]),
        lambda content: content[content.index(b"\n") :],
        lambda content: b"[1, 2]\n" + content,
        lambda content: content.replace(b'"generation": 0', b'"generation": 1e9'),
        lambda content: os.urandom(5_000),
    ],
)
def test_damaged_files_are_refused(tmp_path, spoil):
    path = tmp_path / "nim.table"
    table().save(path)
    path.write_bytes(spoil(path.read_bytes()))
    mine = table(fill=False)
    with pytest.raises(ZermeloError, match=r"damaged|not a table"):
        mine.load(path)
    assert not mine.words.any()


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ZermeloError, match="cannot be read"):
        table().load(tmp_path / "none.table")


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch, step):
    path = tmp_path / "nim.table"
    table().save(path)
    before = path.read_bytes()

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, full)
    with pytest.raises(ZermeloError, match="No space left on device"):
        table(fill=False).save(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["nim.table"]


def test_a_process_that_is_killed_while_saving_leaves_the_old_file(tmp_path, monkeypatch):
    """Nothing is written to the file itself: what stands beside it when a process dies is never read."""
    path = tmp_path / "nim.table"
    table().save(path)
    before = path.read_bytes()

    class Killed(BaseException):
        pass

    def killed(*arguments):
        raise Killed

    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(Killed):
        table(fill=False).save(path)
    assert path.read_bytes() == before


def test_too_much_memory_is_said_in_a_sentence():
    with pytest.raises(ZermeloError, match="no room for a table"):
        Table("Nim()", "rules", "deepening", 4, 1 << 58)
