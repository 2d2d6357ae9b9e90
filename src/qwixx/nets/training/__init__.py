"""Training as a user runs it: rounds of self-play and lessons, checkpoints, and what the yardsticks say on the way."""

from qwixx.train.run import Progress, Settings, train

__all__ = ["Progress", "Settings", "train"]
