"""A database as a table for other programs: Parquet, a block of rows at a time."""

from pathlib import Path
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.solve.database import Database

__all__ = ["export_parquet"]

ROWS = 1 << 17  # of a group in the file


def export_parquet(database: Database, out: Path, states: bool = False) -> int:
    """Writes number, value, distance and kind of every position, and the state in words where asked for; gives the rows."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ZermeloError("Parquet files are written by the package pyarrow: install zermelo[parquet].") from None
    fields = [("number", pyarrow.int64()), ("value", pyarrow.float64()), ("distance", pyarrow.int32()), ("kind", pyarrow.string())]
    schema = pyarrow.schema([*fields, *([("state", pyarrow.string())] if states else [])])
    entries, rows = database.header.scores, 0
    columns: dict[str, list[Any]] = {name: [] for name in schema.names}
    aside = out.with_name(f".{out.name}.new")
    try:
        with parquet.ParquetWriter(aside, schema) as writer:
            for numbers, codes in database.blocks():
                found = [entries[code - 1] for code in codes.tolist()]
                columns["number"] += numbers.tolist()
                columns["value"] += [float(entry.value) for entry in found]
                columns["distance"] += [entry.distance for entry in found]
                columns["kind"] += [entry.kind for entry in found]
                if states:
                    columns["state"] += [repr(database.positions.state(number)) for number in numbers.tolist()]
                rows += len(found)
                if len(columns["number"]) >= ROWS:
                    writer.write_table(pyarrow.table(columns, schema))
                    columns = {name: [] for name in schema.names}
            writer.write_table(pyarrow.table(columns, schema))
        aside.replace(out)
    finally:
        aside.unlink(missing_ok=True)
    return rows
