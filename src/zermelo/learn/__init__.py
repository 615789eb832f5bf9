"""Learning: linear evaluations from self-play, from solved positions and from searched ones."""

from zermelo.learn.learning import Learner, Learning, Point
from zermelo.learn.practice import METHODS, Practice

__all__ = ["METHODS", "Learner", "Learning", "Point", "Practice"]
