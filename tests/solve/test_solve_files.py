"""The file of a database: nothing wrong is ever served."""

import struct
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from whole_games import SMALL_CONNECT4, SMALL_NIM, Laps

from zermelo.errors import RulesError, ZermeloError
from zermelo.games.connect4 import ConnectFour
from zermelo.games.tictactoe import TicTacToe
from zermelo.rules import Game, draw_value
from zermelo.runtime.identity import rules_hash
from zermelo.solve import database_format as layout
from zermelo.solve.book import openings, write_book
from zermelo.solve.database import Database, OutsideError
from zermelo.solve.database_format import DENSE, DamagedError, Entry, pack_block, pack_codes, unpack_block, unpack_codes
from zermelo.solve.database_writer import Codes, write_database
from zermelo.solve.lookup import Lookup
from zermelo.solve.parquet import export_parquet
from zermelo.solve.retrograde_kernel import ENDLESS, TIE
from zermelo.solve.strong import StrongSolver
from zermelo.solve.verification import SEED, packed_entry, read_all, read_sample, verify


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Databases of two games: one by number in several blocks, one dense."""
    folder = tmp_path_factory.mktemp("databases")
    StrongSolver().solve(SMALL_CONNECT4, out=folder / "connect4.zdb", name="connect4(width=4,height=3)")
    StrongSolver(compress=False).solve(SMALL_CONNECT4, out=folder / "raw.zdb", name="connect4(width=4,height=3)")
    StrongSolver().solve(Laps(), out=folder / "laps.zdb", name="laps")
    return folder


GAMES: dict[str, Game] = {"connect4.zdb": SMALL_CONNECT4, "raw.zdb": SMALL_CONNECT4, "laps.zdb": Laps()}


@pytest.mark.parametrize("name", GAMES)
def test_verification_finds_nothing(files: Path, name: str) -> None:
    with Database(files / name, GAMES[name]) as database:
        found = verify(database)
        assert (found.fault, found.checked) == (None, database.header.count)
        assert verify(database, sample=10).checked == 10


def test_both_forms_are_there(files: Path) -> None:
    with Database(files / "laps.zdb", Laps()) as dense, Database(files / "connect4.zdb", SMALL_CONNECT4) as numbered:
        assert dense.header.form == DENSE
        assert numbered.header.blocks > 3


def test_bulk_and_single_probes_agree(files: Path) -> None:
    for name, game in GAMES.items():
        with Database(files / name, game) as database:
            bulk = database.bulk()
            for numbers, codes in database.blocks():
                assert bulk.look(numbers).tolist() == codes.tolist()
                assert [database.code(number) for number in numbers[:50].tolist()] == codes[:50].tolist()
            absent = np.array([0 if database.code(0) == 0 else 1], np.int64)
            assert bulk.look(absent).tolist() == [database.code(int(absent[0]))]


# --- damage


def readings(path: Path, game: Game) -> dict[object, Entry]:
    with Database(path, game) as database:
        return dict(database.entries())


@given(at=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_a_flipped_bit_is_noticed(files: Path, tmp_path_factory: pytest.TempPathFactory, at: float, bit: int) -> None:
    data = bytearray((files / "connect4.zdb").read_bytes())
    place = int(at * len(data))
    data[place] ^= 1 << bit
    path = tmp_path_factory.mktemp("flipped") / "connect4.zdb"
    path.write_bytes(data)
    if 20 <= place < 24:  # the four bytes of the prelude that mean nothing
        assert readings(path, SMALL_CONNECT4) == readings(files / "connect4.zdb", SMALL_CONNECT4)
    else:
        with pytest.raises(DamagedError):
            readings(path, SMALL_CONNECT4)


@given(st.floats(0, 1, exclude_max=True))
def test_a_cut_file_is_refused(files: Path, tmp_path_factory: pytest.TempPathFactory, at: float) -> None:
    data = (files / "connect4.zdb").read_bytes()
    path = tmp_path_factory.mktemp("cut") / "connect4.zdb"
    path.write_bytes(data[: int(at * len(data))])
    with pytest.raises(DamagedError, match=r"cut or added|damaged|not a database|is empty"):
        Database(path, SMALL_CONNECT4)


def test_the_damaged_block_is_named(files: Path, tmp_path: Path) -> None:
    with Database(files / "connect4.zdb", SMALL_CONNECT4) as database:
        offset = int(database.table["offset"][2])
    data = bytearray((files / "connect4.zdb").read_bytes())
    data[offset] ^= 1
    (tmp_path / "x.zdb").write_bytes(data)
    with Database(tmp_path / "x.zdb", SMALL_CONNECT4) as database:
        assert "block 3 of" in str(verify(database).fault)
        with pytest.raises(DamagedError, match="block 3 of"):
            dict(database.entries())
    (tmp_path / "x.zdb").write_bytes(data[: offset + 1])
    with pytest.raises(DamagedError, match="ends in block 3 of"):
        Database(tmp_path / "x.zdb", SMALL_CONNECT4)


def test_more_bytes_behind_the_end_are_refused(files: Path, tmp_path: Path) -> None:
    (tmp_path / "x.zdb").write_bytes((files / "laps.zdb").read_bytes() + b"0")
    with pytest.raises(DamagedError, match="more behind its last block"):
        Database(tmp_path / "x.zdb", Laps())


def test_another_version_is_refused(files: Path, tmp_path: Path) -> None:
    data = bytearray((files / "laps.zdb").read_bytes())
    data[8:12] = struct.pack("<I", 99)
    (tmp_path / "x.zdb").write_bytes(data)
    with pytest.raises(DamagedError, match="version 99"):
        Database(tmp_path / "x.zdb", Laps())


@pytest.mark.parametrize("game", [ConnectFour(4, 4), SMALL_NIM], ids=["other parameters", "another game"])
def test_a_database_of_other_rules_is_refused(files: Path, game: Game) -> None:
    with pytest.raises(ZermeloError, match="other rules"):
        Database(files / "connect4.zdb", game)


@pytest.mark.parametrize(("file", "words"), [("absent.zdb", "no file"), (".", "is a folder")])
def test_files_that_are_none(files: Path, file: str, words: str) -> None:
    with pytest.raises(ZermeloError, match=words):
        Database(files / file, Laps())


def test_a_position_outside_is_named(files: Path) -> None:
    with Database(files / "connect4.zdb", SMALL_CONNECT4) as database:
        floating = SMALL_CONNECT4.start()._replace(mine=0, both=0b0100)
        assert database.get(floating) is None
        with pytest.raises(OutsideError, match="is not in"):
            database.probe(floating)


def test_a_wrong_value_is_found_although_its_checksums_are_right(files: Path, tmp_path: Path) -> None:
    """Somebody writes another code, and all checksums anew."""
    with Database(files / "raw.zdb", SMALL_CONNECT4) as database:
        header, table = database.header, database.table.copy()
        numbers, codes = database.read_block(1)
        codes = codes.copy()
        codes[7] = codes[7] % len(header.scores) + 1
        block = pack_block(numbers, codes, header.code_bytes)
    data = bytearray((files / "raw.zdb").read_bytes())
    offset, length = int(table["offset"][1]), int(table["length"][1])
    assert len(block) == length
    data[offset : offset + length] = block
    table["checksum"][1] = zlib.crc32(block)
    start = layout.write_header(replace(header, table=zlib.crc32(table.tobytes())))
    data[: len(start) + len(table.tobytes())] = start + table.tobytes()
    (tmp_path / "x.zdb").write_bytes(data)
    with Database(tmp_path / "x.zdb", SMALL_CONNECT4) as database:
        assert verify(database).fault is not None


@pytest.mark.parametrize("name", ["connect4.zdb", "laps.zdb"], ids=["by number", "dense"])
def test_a_sample_is_of_the_same_positions_and_codes_as_in_memory(files: Path, name: str) -> None:
    with Database(files / name, GAMES[name]) as database:
        whole = read_all(database)
        few = read_sample(database, 30)
        assert few.numbers.tolist() == sorted(np.random.default_rng(SEED).choice(whole.numbers, 30, replace=False).tolist())
        assert (few.positions, few.counts) == (whole.positions, whole.counts)
        size = database.header.numbering.size or int(whole.numbers[-1]) + 9
        wanted = np.random.default_rng(1).permutation(np.concatenate([whole.numbers, np.arange(0, size, max(1, size // 99))]))
        assert (few.codes.look(wanted) == whole.codes.look(wanted)).all()
        assert len(few.codes.look(wanted[:0])) == 0


@pytest.mark.parametrize("name", ["connect4.zdb", "laps.zdb"], ids=["by number", "dense"])
def test_a_sample_finds_a_wrong_value_of_one_of_its_positions(files: Path, tmp_path: Path, name: str) -> None:
    """Checksums and counts are right."""
    game = GAMES[name]
    with Database(files / name, game) as database:
        header, whole, draw = database.header, read_all(database), draw_value(game)
        sampled = read_sample(database, 30).numbers
    scores = np.array([packed_entry(header.scores[code - 1], draw) for code in whole.codes.look(whole.numbers).tolist()], np.int32)
    place = int(np.searchsorted(whole.numbers, sampled[17]))
    scores[place] = next(score for score in scores.tolist() if score != scores[place])
    found = Codes.of([scores])
    changed = replace(header, scores=found.entries(draw), counts=found.counts)
    write_database(tmp_path / "x.zdb", changed, [(whole.numbers, scores)], found, 1 << 30)
    with Database(tmp_path / "x.zdb", game) as database:
        assert "does not follow from its successors" in str(verify(database, sample=30).fault)


def test_a_sample_still_reads_every_block(files: Path, tmp_path: Path) -> None:
    with Database(files / "connect4.zdb", SMALL_CONNECT4) as database:
        offset = int(database.table["offset"][-1])
    data = bytearray((files / "connect4.zdb").read_bytes())
    data[offset] ^= 1
    (tmp_path / "x.zdb").write_bytes(data)
    with Database(tmp_path / "x.zdb", SMALL_CONNECT4) as database:
        assert "is damaged in block" in str(verify(database, sample=1).fault)


@pytest.mark.parametrize("backend", ["compiled", "reference"])
def test_ties_that_rest_on_each_other_are_found(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str) -> None:
    """Play without end is said to be a tie: every such tie has an action to another, but none of them to an end."""
    with Database(files / "laps.zdb", Laps()) as database:
        header, codes = database.header, database.bulk().codes
        draw = draw_value(Laps())
    numbers = np.flatnonzero(codes).astype(np.int64)
    scores = np.array([packed_entry(header.scores[code - 1], draw) for code in codes[numbers].tolist()], np.int32)
    assert (scores == ENDLESS).any()
    scores[scores == ENDLESS] = TIE
    found = Codes.of([scores])
    changed = replace(header, scores=found.entries(draw), counts=found.counts)
    write_database(tmp_path / "x.zdb", changed, [(numbers, scores)], found, 1 << 30)
    if backend == "reference":

        def nothing_compiles(job: object) -> None:
            raise RulesError("nothing compiles here")

        monkeypatch.setattr("zermelo.solve.verification.kernel_of", nothing_compiles)
    with Database(tmp_path / "x.zdb", Laps()) as database:
        assert "no end is reached through ties" in str(verify(database).fault)
        assert verify(database, sample=10).fault is None
    with Database(files / "laps.zdb", Laps()) as database:
        assert verify(database).fault is None


# --- parts


@given(st.lists(st.integers(0, (1 << 62) - 1), min_size=1, max_size=40, unique=True), st.integers(1, 2), st.data())
def test_blocks_come_back(numbers: list[int], code_bytes: int, data: st.DataObject) -> None:
    ordered = np.array(sorted(numbers), np.int64)
    most = 255 if code_bytes == 1 else 65_535
    codes = np.array(data.draw(st.lists(st.integers(0, most), min_size=len(numbers), max_size=len(numbers))), np.uint16)
    packed = np.frombuffer(pack_block(ordered, codes, code_bytes), np.uint8)
    again = unpack_block(packed, int(ordered[0]), len(numbers), code_bytes)
    assert (again[0].tolist(), again[1].tolist()) == (ordered.tolist(), codes.tolist())
    with pytest.raises(DamagedError, match="not as many positions"):
        unpack_block(packed, int(ordered[0]), len(numbers) + 1, code_bytes)
    plain = np.frombuffer(pack_codes(codes, code_bytes), np.uint8)
    assert unpack_codes(plain, len(codes), code_bytes).tolist() == codes.tolist()


def test_the_hash_follows_the_rules_and_nothing_else() -> None:
    class Shown(Laps):
        def show(self, state: object) -> str:
            return "other words"

    class Changed(Laps):
        def utility(self, walk: object) -> int:
            return 1

    assert rules_hash(Laps(), False) == rules_hash(Shown(), False)
    assert len({rules_hash(game, False) for game in (Laps(), Laps(8), Changed())}) == 3
    assert rules_hash(SMALL_CONNECT4, True) != rules_hash(SMALL_CONNECT4, False)
    assert rules_hash(TicTacToe(), True) != rules_hash(TicTacToe(early=True), True)  # whose `canonical` does not compile


def test_export(files: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    with Database(files / "laps.zdb", Laps()) as database:
        assert export_parquet(database, tmp_path / "laps.parquet", states=True) == database.header.count
        entries = dict(database.entries())
    rows = parquet.read_table(tmp_path / "laps.parquet").to_pylist()
    assert {row["state"]: (row["value"], row["distance"], row["kind"]) for row in rows} == {
        repr(state): (entry.value, entry.distance, entry.kind) for state, entry in entries.items()
    }


def test_a_search_that_meets_an_endgame_database(tmp_path: Path) -> None:
    """From the start, with a database of what follows two stones in the first column."""
    game = SMALL_CONNECT4
    later = game.result(game.result(game.start(), 0), 0)
    StrongSolver().solve(game, later, out=tmp_path / "later.zdb")
    whole = StrongSolver().solve(game, out=tmp_path / "all.zdb")
    found = Lookup(str(tmp_path / "later.zdb")).search(game)
    assert (found.value, found.exact) == (whole.value, True)
    assert found.table_hits > 0
    known = Lookup(str(tmp_path / "all.zdb")).search(game)
    assert (found.scores, found.distances) == (known.scores, known.distances)


def test_a_book_holds_the_first_moves(files: Path, tmp_path: Path) -> None:
    game = SMALL_CONNECT4
    with Database(files / "connect4.zdb", game) as database:
        numbering, expected = database.header.numbering, {state: database.probe(state) for state in openings(game, game.start(), 3, True)}
        count = write_book(game, game.start(), 3, database.probe, tmp_path / "book.zdb", "connect4(width=4,height=3)", numbering)
    assert count == len(expected)
    with Database(tmp_path / "book.zdb", game) as book:
        assert dict(book.entries()) == expected
        assert book.header.content == "book"
        assert verify(book).fault is None
