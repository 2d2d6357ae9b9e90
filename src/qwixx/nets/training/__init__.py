"""
Training of nets: self-play, TD updates, checkpoints, calibration, and matches against baselines.

`run` drives a training. Evaluation and decisions of a trained net are in `qwixx.nets`, not here.
"""

from qwixx.nets.training.run import Progress, Settings, train

__all__ = ["Progress", "Settings", "train"]
