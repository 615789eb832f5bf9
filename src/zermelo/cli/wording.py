"""Values in words, as the command line prints them: those that every front shares."""

from zermelo.play.wording import certainty, digits, duration, ending, number, outcome, plural, verdict, worth

__all__ = ["certainty", "digits", "duration", "ending", "number", "outcome", "plural", "verdict", "worth"]
