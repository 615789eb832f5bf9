"""The compiler: rules and kernels in plain Python become machine code for one game.

`rules.compile_rules` is the way in. A function is run on values that are partly known (`statements`, `expressions`): what is constant is
folded by Python itself, the rest becomes LLVM text (`emitter`), which `machine` turns into code.
"""

from zermelo.compiler.faults import Fault

__all__ = ["Fault"]
