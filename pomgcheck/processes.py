"""Shares work through one seam: in this process, in processes of this machine, or on a cluster.

``shared`` gives the same results whatever does the work.  A worker that dies takes nothing with it: what it had not
finished is done once more, by another.

A worker of joblib's pool reads its tasks from a pipe whose other end it holds too, so the pipe does not tell it that
nobody is left: it would finish what it has and wait for minutes.  A thread of it therefore looks once a second whether
its parent is still there.  (Windows gives orphans no other parent; there they end after joblib's idle time.)
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from signal import SIGTERM
from threading import Thread
from time import sleep
from typing import Any

from pomgcheck.errors import GaveUp, InputError, MissingDependency
from pomgcheck.kernel.reading import long_integers
from pomgcheck.version import __version__

EVERY = 1.0  # seconds between two looks
WAIT = 20  # seconds for a cluster to answer, and for its first worker
AGAIN = 1  # how often what a dead worker leaves is done again
Item = tuple[Any, ...]
Numbered = tuple[int, Any]  # place of an item, its result
Work = Callable[..., Any]

_client: ContextVar[Any] = ContextVar("client", default=None)  # of Dask, where there is a cluster


def shared(work: Work, items: Iterable[Item], jobs: int, ordered: bool = False) -> Iterator[Any]:
    """Yield ``work(*item)`` for each item, as the results come or, with ``ordered``, in the order of the items.

    The work is done on the cluster of ``cluster`` where there is one, else in ``jobs`` processes of one thread each;
    with one job it is done in this process. Raises ``GaveUp`` where a worker dies with the same work a second time.
    """
    everything = list(items)
    if clustered():
        results = _on_cluster(work, everything)
    elif jobs == 1:
        results = ((k, work(*item)) for k, item in enumerate(everything))
    else:
        results = _on_this_machine(work, everything, jobs)
    yield from _in_order(results) if ordered else (result for _, result in results)


def clustered() -> bool:
    """Return whether work goes to a cluster."""
    return _client.get() is not None


def _in_order(results: Iterable[Numbered]) -> Iterator[Any]:
    waiting: dict[int, Any] = {}
    following = 0
    for k, result in results:
        waiting[k] = result
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def _numbered(work: Work, k: int, item: Item) -> Numbered:
    with long_integers():
        return k, work(*item)


def _lost(where: str) -> GaveUp:
    fix = "it may need more memory than the machine has: use fewer processes, or a smaller class"
    return GaveUp(where, "a worker that was ended from outside, twice at the same work", "workers that stay alive", fix)


# ---------------------------------------------------------------------------------- this machine


def _on_this_machine(work: Work, items: Sequence[Item], jobs: int) -> Iterator[Numbered]:
    from joblib import Parallel, delayed, parallel_config
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    left = dict(enumerate(items))
    for attempt in range(AGAIN + 1):
        with parallel_config(backend="loky", inner_max_num_threads=1, initializer=follow, initargs=(os.getpid(),)):
            pool = Parallel(n_jobs=jobs, batch_size=1, return_as="generator_unordered")
            try:
                for k, result in pool(delayed(_numbered)(work, k, item) for k, item in left.copy().items()):
                    del left[k]
                    yield k, result
            except TerminatedWorkerError:
                if attempt == AGAIN:
                    raise _lost("jobs") from None
            else:
                return


def follow(parent: int) -> None:
    """End this process, whatever it is doing, once ``parent`` has ended."""
    Thread(target=watch, args=(parent,), daemon=True).start()


def watch(parent: int) -> None:
    """Wait until this process has another parent."""
    while os.getppid() == parent:
        sleep(EVERY)
    os.kill(os.getpid(), SIGTERM)  # by the system, not by an exception that a task might catch


# ---------------------------------------------------------------------------------- a cluster


@contextmanager
def cluster(address: str | None) -> Iterator[None]:
    """Within this context let ``shared`` work on a Dask cluster.

    ``address`` is ``tcp://HOST:PORT`` of a scheduler, or ``local:N`` for N worker processes of this machine that end
    with the context; ``None`` changes nothing. Raises ``InputError`` for a cluster that is not there or has other
    versions, and ``MissingDependency`` without Dask (the extra ``cluster``).
    """
    if address is None:
        yield
        return
    local = re.fullmatch(r"local:([1-9][0-9]{0,3})", address, re.ASCII)
    if not local and not re.fullmatch(r"(tcp|tls|ws|wss)://\S+:[0-9]+", address, re.ASCII):
        raise InputError("cluster", repr(address), "tcp://HOST:PORT of a scheduler, or local:N")
    try:
        from dask import config
        from distributed import Client, LocalCluster
    except ImportError:
        raise MissingDependency("cluster", "no Dask", "it", "pip install 'pomgcheck[cluster]'") from None
    mine = None
    if local:
        with config.set({"distributed.scheduler.allowed-failures": AGAIN}):
            mine = LocalCluster(
                n_workers=int(local[1]), threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
            )
    try:
        client = Client(address if mine is None else mine, timeout=WAIT, set_as_default=False)
    except (OSError, TimeoutError):
        found = f"no scheduler that answers at {address} within {WAIT} s"
        raise InputError("cluster", found, "a running one", "dask scheduler starts one") from None
    try:
        _same_versions(client, address)
        token = _client.set(client)
        try:
            yield
        finally:
            _client.reset(token)
    finally:
        client.close()
        if mine is not None:
            mine.close()


def _same_versions(client: Any, address: str) -> None:
    """Refuse workers that could compute something else."""
    try:
        client.wait_for_workers(1, timeout=WAIT)
    except TimeoutError:
        found = f"a scheduler at {address} without workers after {WAIT} s"
        raise InputError("cluster", found, "at least one", "dask worker SCHEDULER starts one") from None
    here = versions()
    for worker, there in client.run(versions).items():
        if there != here:
            found, wanted = (", ".join(f"{name} {x}" for name, x in each.items()) for each in (there, here))
            raise InputError("cluster", f"{found} on the worker {worker}", f"{wanted}, as here")


def versions() -> dict[str, str]:
    """Return the versions that must be the same on every worker: Python's up to its minor version, and this program's."""
    return {"python": ".".join(platform.python_version_tuple()[:2]), "pomgcheck": __version__}


def _held(work: Work) -> Work:
    return work


def _on_cluster(work: Work, items: Sequence[Item]) -> Iterator[Numbered]:
    """Yield the numbered results of work on a cluster.

    What all items share, the work with the class that it holds, is sent once: it is a task of its own, whose result
    workers hand on, and which is made again where the workers that had it die.
    """
    from distributed import KilledWorker, as_completed

    client = _client.get()
    common = client.submit(_held, work, pure=False)
    futures = [client.submit(_numbered, common, k, item, pure=False) for k, item in enumerate(items)]
    try:
        for future in as_completed(futures, loop=client.loop):
            yield future.result()
            future.release()
    except KilledWorker:
        raise _lost("cluster") from None
    finally:
        if left := [future for future in futures if not future.done()]:
            client.cancel(left)
