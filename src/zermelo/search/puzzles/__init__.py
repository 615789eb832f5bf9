"""One player: A*, IDA*, and real-time search."""
