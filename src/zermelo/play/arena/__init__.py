"""The arena: matches and tournaments between any players: paired openings, error bars, a sequential test, results that are kept."""

from zermelo.play.arena.contest import Contest, Record, replayed
from zermelo.play.arena.rating import Duel, Sequential, Standing
from zermelo.play.arena.store import Store
from zermelo.play.arena.tournament import Outcome, Tournament

__all__ = ["Contest", "Duel", "Outcome", "Record", "Sequential", "Standing", "Store", "Tournament", "replayed"]
