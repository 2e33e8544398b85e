"""Work shared between processes that end when the one that asked for it does, even if it is killed outright.

A worker of joblib's pool reads its tasks from a pipe whose other end it holds too, so the pipe does not tell it that
nobody is left: it would finish what it has and wait for minutes.  A thread of it therefore looks once a second whether
its parent is still there.  (Windows gives orphans no other parent; there they end after joblib's idle time.)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from signal import SIGTERM
from threading import Thread
from time import sleep
from typing import Any

EVERY = 1.0  # seconds between two looks
Item = tuple[Any, ...]


def shared(work: Callable[..., Any], items: Iterable[Item], jobs: int, ordered: bool = False) -> Iterator[Any]:
    """``work(*item)`` of each item, in ``jobs`` processes of one thread each: as they come, or in their order."""
    from joblib import Parallel, delayed, parallel_config

    with parallel_config(backend="loky", inner_max_num_threads=1, initializer=follow, initargs=(os.getpid(),)):
        pool = Parallel(n_jobs=jobs, batch_size=1, return_as="generator" if ordered else "generator_unordered")
        yield from pool(delayed(work)(*item) for item in items)


def follow(parent: int) -> None:
    """End this process, whatever it is doing, once ``parent`` has ended."""
    Thread(target=watch, args=(parent,), daemon=True).start()


def watch(parent: int) -> None:
    """Wait until this process has another parent."""
    while os.getppid() == parent:
        sleep(EVERY)
    os.kill(os.getpid(), SIGTERM)  # by the system, not by an exception that a task might catch
