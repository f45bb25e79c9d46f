"""Layer 5: wrappers around environments; optional, thin, one a file."""

if __name__ != "rsi_envs.wrappers":
    raise ImportError("import rsi_envs.wrappers; a bare 'wrappers' would be a second copy of it")

from rsi_envs.wrappers.feedback import Feedback
from rsi_envs.wrappers.ladder_split import LadderSplit
from rsi_envs.wrappers.replay_schedule import ReplaySchedule
from rsi_envs.wrappers.text import Text

__all__ = ["Feedback", "LadderSplit", "ReplaySchedule", "Text"]
