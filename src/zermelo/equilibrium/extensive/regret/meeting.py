"""Where threads of one run wait for each other, without leaving compiled code as long as nobody is late.

A run is a row of phases. Nobody begins a phase before everybody has ended the one before: each counts once a phase, and waits until all
have counted. Who has waited long comes back to Python, lets go of the processor, and goes in again: on a machine with other work, one
of the threads may not be running at all.
"""

from zermelo.compiler.array_kernels import Integers, atomic_add, atomic_load, kernel

__all__ = ["COUNT", "GIVEN_UP", "PHASES", "PLACES", "everybody", "leave", "step_of"]

COUNT, GIVEN_UP, PLACES = 0, 8, 16  # places of the array that threads share, far enough apart for a line of the cache each
SPINS = 2_000  # looks before a thread lets go of the processor: some 5 µs

PHASES = 4  # of one iteration and turn: gradients, what hangs below, the top, plans


@kernel
def everybody(meeting: Integers, threads: int, phase: int) -> bool:
    """Have all ended the phases before this one? Waits a while for it."""
    looks = 0
    while atomic_load(meeting, COUNT) < threads * phase:
        looks += 1
        if looks == SPINS:
            return False
    return True


@kernel
def leave(meeting: Integers) -> None:
    """This thread has ended a phase."""
    atomic_add(meeting, COUNT, 1)


@kernel
def step_of(phase: int, turns: int) -> tuple[int, int, int]:
    """Row of the schedule, turn, and which of the four phases."""
    return phase // (PHASES * turns), phase // PHASES % turns, phase % PHASES
