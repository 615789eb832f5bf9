"""Where kernels are: each family is one file `<family>_kernel.py`, beside the algorithm that it compiles.

A kernel may import from other kernels: their text is compiled with its own.
"""

import ast
from functools import cache
from pathlib import Path

from zermelo.compiler.source import one_at_a_time

__all__ = ["kernel_files", "shared_kernel", "template"]

PACKAGE = Path(__file__).parent.parent
ROOMS = ("engine", "search", "solve", "equilibrium", "learn")  # where kernels live


@cache
def kernel_files() -> dict[str, Path]:
    """The file of each kernel family: `<family>_kernel.py`, in whatever room."""
    found = (file for room in ROOMS for file in (PACKAGE / room).rglob("*_kernel.py"))
    return {file.name.removesuffix("_kernel.py"): file for file in found}


def shared_kernel(node: ast.stmt) -> Path | None:
    """The file of the kernel that a statement imports from, or None."""
    module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
    if not (module.startswith("zermelo.") and module.endswith("_kernel")):
        return None
    return PACKAGE.joinpath(*module.split(".")[1:]).with_suffix(".py")


@cache
@one_at_a_time
def template(family: str) -> tuple[tuple[ast.Module, str], ...]:
    """The syntax trees of a family's file and of the kernels that it imports from, those first.

    A family may be followed by switches of its kernels that are off: `mcts-EXTRAS-TOGETHER`.
    """
    name, *off = family.split("-")
    found: list[tuple[ast.Module, str]] = []
    seen: set[Path] = set()

    def read(path: Path) -> None:
        if path in seen:
            return
        seen.add(path)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        kept: list[ast.stmt] = []
        for node in tree.body:
            module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            shared = shared_kernel(node)
            if shared is not None:
                read(shared)
            elif not module.startswith("zermelo.runtime.") and module != "typing":
                kept.append(node)
        tree.body = kept
        found.append((tree, str(path)))

    read(kernel_files()[name])
    found += [(ast.parse(f"{switch} = False"), family) for switch in off]
    return tuple(found)
