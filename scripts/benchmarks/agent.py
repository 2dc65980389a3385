"""The agent with all its sources: its start, its idleness, and two minutes in which sources are due as in any others."""

import os
import re
import signal
import socket
import statistics
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import measure


class Agent:
    """One `crier agent`, from its start until it has nothing left to do; `end` ends it."""

    def __init__(self, crier, folder):
        self.run = Path(folder) / "run"
        self.run.mkdir(parents=True, exist_ok=True)
        notify = self.run / "notify"
        notify.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(str(notify))
            manager.settimeout(60)
            environment = measure.clean(
                {**crier.environment, "XDG_RUNTIME_DIR": str(self.run), "NOTIFY_SOCKET": str(notify)})
            self.process = subprocess.Popen(
                [crier.binary, "agent", "--log-level", "error"], env=environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL)
            said = set()
            # What it does next is told by the loop that fetches, when it lies down.
            while not {"READY=1", "next fetch"} <= said:
                text = manager.recv(4096).decode()
                said |= {words for words in ("READY=1", "next fetch") if words in text}
        self.socket = self.run / "crier/agent.sock"

    @property
    def cpu(self):
        """Seconds of all its threads, also of those that have ended (clock_getcpuclockid(3))."""
        return time.clock_gettime(((~self.process.pid) << 3) | 2)

    def rest(self):
        """Waits until it does nothing any more, and its spare threads have ended (which they do after 5 s)."""
        for _ in range(60):
            before = self.cpu
            time.sleep(6)
            if self.cpu == before:
                return
        raise SystemExit("the agent never rests")

    def memory(self):
        """Resident and anonymous bytes (proc_pid_smaps(5))."""
        text = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        return tuple(int(re.search(rf"^{name}: +(\d+) kB", text, re.M)[1]) * 1024 for name in ("Rss", "Anonymous"))

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def switches(self):
        """How often its threads have waited for something."""
        texts = [path.read_text() for path in Path(f"/proc/{self.process.pid}/task").glob("*/status")]
        return sum(int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", text, re.M)[1]) for text in texts)

    def wakes(self):
        """Its own count of them, those by this question apart."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.socket))
            connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            text = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
        return sum(int(count) for count in re.findall(r'^crier_wakeups_total\{[^}]*\} (\d+)', text, re.M))

    def end(self):
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(10)
        assert status == 0, f"the agent ended with {status}"
        return time.monotonic() - begun


@dataclass
class Work:
    cpu: float
    lasted: float  # seconds
    wakes: int
    visits: int
    resident: int
    anonymous: int
    threads: int


def start(crier, folder, runs):
    """The cost of starting with nothing due, and what is left of it then."""
    crier.update("UPDATE visit SET nextFetch = unixepoch() * 1000 + 3000000 + source * 10")
    cpu, ends = [], []
    for _ in range(runs):
        agent = Agent(crier, folder)
        agent.rest()
        cpu.append(agent.cpu)
        resident, anonymous = agent.memory()
        ends.append(agent.end())
    return statistics.median(cpu), resident, anonymous, statistics.median(ends)


def idle(crier, folder, seconds):
    agent = Agent(crier, folder)
    agent.rest()
    before = agent.switches(), agent.cpu
    time.sleep(seconds)
    after = agent.switches(), agent.cpu
    agent.end()
    return after[0] - before[0], after[1] - before[1]


def busy(crier, folder, server, count, seconds):
    """Sources are due one after the other, as those of an hour that began at any time are."""
    crier.update(
        f"UPDATE visit SET nextFetch = (unixepoch() + 8) * 1000 + (source - 1) * {3_600_000 // count}")
    agent = Agent(crier, folder)
    wakes = agent.wakes()
    agent.rest()
    server.take()
    begun, cpu = time.monotonic(), agent.cpu
    time.sleep(seconds)
    agent.rest()
    cpu, lasted = agent.cpu - cpu, time.monotonic() - begun
    proof = server.take()
    wakes = agent.wakes() - wakes
    resident, anonymous = agent.memory()
    threads = agent.threads()
    agent.end()
    assert proof.requests == proof.not_modified > 0, f"agent: {proof}"
    return Work(cpu, lasted, wakes, proof.requests, resident, anonymous, threads)
