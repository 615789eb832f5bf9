"""Values in words, as the command line prints them: those that every front shares."""

from zermelo.play.wording import certainty, duration, ending, number, outcome, plural, verdict, worth

__all__ = ["certainty", "duration", "ending", "number", "outcome", "plural", "verdict", "worth"]
