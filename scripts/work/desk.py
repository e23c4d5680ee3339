"""A desk in a process of its own, on the machine of a worker: started with nothing but Python and what was sent along.

It reads requests from stdin and answers on stdout, each a length and a pickle. A process of its own keeps the clocks of
a game from everything else that a worker does, and it is what is left when the worker dies: at the end of its input,
which comes even when the worker is killed, it kills its engines and goes.
"""

from __future__ import annotations

import os
import pickle
import queue
import sys
import threading
import time
from typing import Any

from .frames import read_message, write_message
from .job import Desk, Host
from .threads import mind_the_clocks

def main() -> None:
    """Sits at the desk until there is nobody to answer to."""
    # What anybody prints must not end up among the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    mind_the_clocks()
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    desks: list[Desk] = []

    def listen() -> None:
        try:
            while True:
                requests.put(read_message(sys.stdin.buffer))
        except EOFError:
            for desk in desks:
                desk.interrupt()
            os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    kind, job, place, cores = requests.get()
    assert kind == "open"
    if cores and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)
    try:
        desks.append(pickle.loads(job).open(Host(*place)))
        write_message(answers, ("open", None, 0.0))
        while True:
            number = requests.get()
            start = time.monotonic()
            result = desks[0].run(number)
            write_message(answers, ("done", pickle.dumps(result), time.monotonic() - start))
    except Exception as error:  # noqa: BLE001 - whatever it is, who waits has to hear of it
        write_message(answers, ("failed", f"{type(error).__name__}: {error}", 0.0))
        for desk in desks:
            desk.close()
