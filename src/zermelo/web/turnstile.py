"""A turnstile before the event loop's larger pieces of work: what arrives at the same moment is done in turn, not in one go."""

import asyncio

__all__ = ["Turnstile"]


class Turnstile:
    """Lets one in at a time, in the order of arrival, and nobody else in the same round of the event loop.

    Two hundred messages that arrive at once would otherwise be answered in one round, and whoever asks for something short in the meantime
    would wait for all of them.
    """

    def __init__(self) -> None:
        self.lock = asyncio.Lock()

    async def enter(self) -> None:
        """Waits for one's turn; the next one's begins a round later."""
        await self.lock.acquire()
        asyncio.get_running_loop().call_soon(self.lock.release)
