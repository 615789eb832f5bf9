"""Rock, paper, scissors as a matrix game: scissors cut paper, paper covers rock, rock smashes scissors; 1 is a win, 0 a tie, -1 a loss.

`rps` has the same game written as rules. Source: J. von Neumann and O. Morgenstern, Theory of Games and Economic Behavior (1944), 18.4.
"""

from zermelo.trees.matrix import Matrix

__all__ = ["ROCK_PAPER_SCISSORS"]

CHOICES = ("rock", "paper", "scissors")

ROCK_PAPER_SCISSORS = Matrix.of([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], strategies=(CHOICES, CHOICES), title="Rock, paper, scissors")
