"""Runs a program once and says what it cost."""

import os
import signal
import statistics
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path


LIMIT = 300  # seconds for one run


@dataclass
class Cost:
    cpu: float  # seconds, user and system, of the child and its children
    wall: float  # seconds
    memory: int  # bytes at the peak


class Meter:
    """Knows the program `cost`, which starts and measures all others."""

    def __init__(self, folder):
        self.binary = str(Path(folder) / "cost")
        source = str(Path(__file__).parent / "cost.c")
        subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-D_GNU_SOURCE", "-o", self.binary, source], check=True)

    def run(self, command, environment=None):
        with tempfile.TemporaryFile() as figures, tempfile.TemporaryFile() as errors:
            child = subprocess.Popen(
                [self.binary, str(figures.fileno()), *map(str, command)], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=errors, env=clean(environment), pass_fds=[figures.fileno()])
            try:
                child.wait(LIMIT)
            except subprocess.TimeoutExpired:
                # `cost` ends with the program that it has started.
                for program in Path(f"/proc/{child.pid}/task/{child.pid}/children").read_text().split():
                    os.kill(int(program), signal.SIGKILL)
                child.wait()
                raise SystemExit(f"{' '.join(map(str, command))} takes longer than {LIMIT} s") from None
            if child.returncode != 0:
                errors.seek(0)
                tail = errors.read().decode(errors="replace")[-600:]
                raise SystemExit(f"{' '.join(map(str, command))} ended with {child.returncode}: {tail}")
            figures.seek(0)
            cpu, wall, kib = figures.read().split()
            return Cost(float(cpu), float(wall), int(kib) * 1024)


def clean(additions=None):
    """The environment without what would send requests or trust elsewhere."""
    unwanted = ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "curl_ca_bundle", "ssl_cert_file", "ssl_cert_dir")
    rest = {name: value for name, value in os.environ.items() if name.lower() not in unwanted}
    return {**rest, **(additions or {})}


def median(costs):
    return Cost(*(statistics.median(getattr(cost, key) for cost in costs) for key in ("cpu", "wall", "memory")))


def ratio(costs, others, key):
    """The median of the ratios within each round: what loads the machine then loads both."""
    return statistics.median(getattr(a, key) / max(getattr(b, key), 1e-9) for a, b in zip(costs, others))


def less(costs, starts, count):
    """For each round the cost of one of `count` sources, without that of starting (a run with one source)."""
    return [
        Cost((a.cpu - b.cpu) / (count - 1), (a.wall - b.wall) / (count - 1), a.memory)
        for a, b in zip(costs, starts)
    ]
