"""Where compiled code is kept between processes."""

import os
import sys
from pathlib import Path

__all__ = ["cache_folder", "make_private"]


def cache_folder() -> Path:
    """`$ZERMELO_CACHE`, or `zermelo` in the user's cache folder."""
    chosen = os.environ.get("ZERMELO_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "zermelo"


def make_private(folder: Path) -> None:
    """Have the folder, and close it to others where they could write there. Raises `OSError` where that cannot be done."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if os.name == "posix" and folder.stat().st_mode & 0o022:
        folder.chmod(0o700)
