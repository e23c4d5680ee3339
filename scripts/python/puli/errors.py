"""The exceptions of this package."""

from __future__ import annotations


class PuliError(Exception):
    """Base class of the exceptions of this package.

    Invalid arguments raise `ValueError`. A program that is missing or cannot be run raises `OSError`.
    """


class EngineError(PuliError):
    """The engine rejected a position, a move, an option or a command. The text is the engine's own message."""


class EngineTerminatedError(PuliError):
    """The process has exited or was killed. Only a new engine can answer."""


class EngineTimeoutError(PuliError, TimeoutError):
    """A call took longer than its maximum time.

    The engine was asked to stop. If it did not, the process was killed, and later calls raise `EngineTerminatedError`.
    """


class EngineBusyError(PuliError):
    """The engine runs an analysis, or runs another call while an analysis should start."""


class ProtocolError(PuliError):
    """The process sent an answer that is not of the protocol."""


class AnalysisComplete(PuliError):
    """The search has ended, and all its infos have been read."""


class NativeModuleError(PuliError, ImportError):
    """The native module `puli._native` is missing, or numpy, which its batches require.

    Wheels have the native module. A source checkout has none, so there only `Engine` and its kind work.
    """
