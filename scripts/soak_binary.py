"""Lets a built `crier agent` live for a minute or two through kills, restarts, reloads and outages, and looks whether
every promise was kept: each item told, under one identifier, and no growth of memory or descriptors.

usage: scripts/soak --binary [--seconds N] [--seed S] [--crier PATH]
"""

import argparse
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts/benchmarks"))

import programs

SOURCES = 40
WINDOW = 20  # items that a document shows at most


class World:
    """Origins and a receiver on the loopback. A new item of a source comes out now and then, and counts once it was served."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        self.begun = time.monotonic()
        self.pauses = [self.random.uniform(1.5, 8) for _ in range(SOURCES)]
        self.ended = None
        self.served = set()
        self.told = defaultdict(set)
        self.requests = self.not_modified = self.calls = 0
        self.receiver_is_well = True
        self.server = None
        self.port = 0

    def count(self, source):
        passed = (self.ended or time.monotonic()) - self.begun
        return 3 + int(passed / self.pauses[source])

    def start(self):
        world = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = 65536

            def log_message(self, *_):
                pass

            def do_GET(self):
                world.answer(self, int(self.path.strip("/")))

            def do_POST(self):
                world.receive(self, json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

        self.server = Server(("127.0.0.1", self.port), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def send(self, handler, status, fields=(), body=b""):
        handler.send_response(status)
        for name, value in fields:
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(body)

    def answer(self, handler, source):
        with self.lock:
            self.requests += 1
            count = self.count(source)
            etag = f'"{count}"'
            is_known = handler.headers.get("If-None-Match") == etag
            self.not_modified += is_known
        if is_known:
            return self.send(handler, 304, [("ETag", etag)])
        items = range(count - 1, max(-1, count - 1 - WINDOW), -1)
        entries = "".join(
            f"<entry><id>urn:{source}:{item}</id><title>Item {item} of {source}</title>"
            f'<link href="https://read.example/{source}/{item}"/></entry>' for item in items)
        text = f'<feed xmlns="http://www.w3.org/2005/Atom"><title>S {source}</title><id>u</id>{entries}</feed>'
        try:
            self.send(handler, 200, [("ETag", etag)], text.encode())
            handler.wfile.flush()
        except OSError:
            return
        with self.lock:
            self.served.update(f"urn:{source}:{item}" for item in items)

    def receive(self, handler, body):
        with self.lock:
            self.calls += 1
            if not self.receiver_is_well:
                return self.send(handler, 503)
            for item in body.get("data", {}).get("items") or []:
                self.told[item["id"]].add(handler.headers["webhook-id"])
        self.send(handler, 204)


class Life:
    """One process of the agent."""

    def __init__(self, soak):
        self.log = soak.folder / "agent.log"
        said = self.log.read_text().count(" ready ") if self.log.exists() else 0
        self.process = subprocess.Popen(
            [soak.crier, "agent"], env=soak.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(self.log, "ab"))
        limit = time.monotonic() + 30
        while self.log.read_text().count(" ready ") == said:
            if self.process.poll() is not None or time.monotonic() > limit:
                sys.exit(f"the agent does not start: {self.log.read_text()[-600:]}")
            time.sleep(0.02)

    def figures(self):
        """Descriptors, threads, anonymous bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        value = {name: int(number) for name, number in re.findall(r"^(RssAnon|Threads):\s+(\d+)", status, re.M)}
        return len(os.listdir(f"/proc/{self.process.pid}/fd")), value["Threads"], value["RssAnon"] * 1024

    def end(self, number):
        begun = time.monotonic()
        self.process.send_signal(number)
        status = self.process.wait(30)
        return status, time.monotonic() - begun


class Soak:
    def __init__(self, crier, seed, folder):
        self.crier = str(crier)
        self.folder = Path(folder)
        self.world = World(seed)
        self.random = random.Random(seed + 1)
        self.faults = []
        self.absent, self.renamed = set(), set()
        self.happened = defaultdict(int)
        self.longest_end = 0
        self.environment = {
            **os.environ, "CRIER_CONFIG": str(self.folder / "crier.yaml"),
            "CRIER_STATE": str(self.folder / "crier.sqlite"), "XDG_RUNTIME_DIR": str(self.folder / "run")}
        (self.folder / "run").mkdir(mode=0o700)

    def configure(self):
        port = self.world.port
        lines = [
            f"  {'r' if number in self.renamed else 's'}{number}: "
            f"{{url: 'http://127.0.0.1:{port}/{number}', every: {1 + number % 3}s, first: all, to: [heard, team]}}"
            for number in range(SOURCES) if number not in self.absent]
        text = (f"sinks:\n  heard: {{kind: file, path: '{self.folder / 'heard.jsonl'}'}}\n"
                f"  team: {{kind: webhook, url: 'http://127.0.0.1:{port}/'}}\nsources:\n" + "\n".join(lines) + "\n")
        new = self.folder / "crier.yaml.new"
        new.write_text(text)
        new.rename(self.folder / "crier.yaml")

    def harm(self, life, with_ends):
        kinds = ["reload", "rename", "leave out", "outage", "receiver down"] + ["kill", "kill", "end"] * with_ends
        kind = self.random.choice(kinds)
        self.happened[kind] += 1
        chosen = set(self.random.sample(range(SOURCES), 4))
        if kind == "reload":
            life.process.send_signal(signal.SIGHUP)
        elif kind in ("rename", "leave out"):
            which = self.renamed if kind == "rename" else self.absent
            which.symmetric_difference_update(chosen)
            self.configure()
        elif kind == "outage":
            self.world.stop()
            time.sleep(self.random.uniform(0.5, 3))
            self.world.start()
        elif kind == "receiver down":
            self.world.receiver_is_well = False
            time.sleep(self.random.uniform(0.5, 3))
            self.world.receiver_is_well = True
        else:
            status, lasted = life.end(signal.SIGKILL if kind == "kill" else signal.SIGTERM)
            if kind == "end":
                self.longest_end = max(self.longest_end, lasted)
                if status != 0 or lasted > 2:
                    self.faults.append(f"SIGTERM: ended with {status} after {lasted:.2f} s")
            life = Life(self)
        return life

    def run(self, seconds):
        """Half of the time with ends and kills; then one life in which nothing may grow."""
        self.world.start()
        self.configure()
        subprocess.run(
            [self.crier, "authorize", "--allow"], env=self.environment, check=True, stdout=subprocess.DEVNULL)
        life = Life(self)
        end = time.monotonic() + seconds / 2
        while time.monotonic() < end:
            time.sleep(self.random.uniform(0.2, 2))
            life = self.harm(life, with_ends=True)
        self.happened["end"] += 1
        life.end(signal.SIGTERM)
        life = Life(self)
        begun = time.monotonic()
        figures = []
        while time.monotonic() < begun + seconds / 2:
            time.sleep(self.random.uniform(0.2, 2))
            life = self.harm(life, with_ends=False)
            if time.monotonic() > begun + seconds / 8:
                figures.append(life.figures())
        self.heal()
        status, lasted = life.end(signal.SIGTERM)
        self.longest_end = max(self.longest_end, lasted)
        if status != 0:
            self.faults.append(f"the last end was {status}")
        self.world.stop()
        return figures

    def heal(self):
        """Everything is well, nothing new comes; the sources are asked until all has been told."""
        self.absent = set()
        self.configure()
        self.world.ended = time.monotonic()
        for _ in range(6):
            # A receiver that has failed often is left alone for a quarter of an hour, unless it is tried.
            for command in (["fetch", "--force", "--quiet"], ["sink", "test", "team"]):
                subprocess.run(
                    [self.crier, *command], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                    check=False)
            for _ in range(20):
                if self.is_told():
                    return
                time.sleep(0.5)

    def is_told(self):
        with self.world.lock:
            last = {f"urn:{number}:{self.world.count(number) - 1}" for number in range(SOURCES)}
            return last <= self.world.served and self.world.served <= set(self.world.told) and \
                self.world.served <= set(self.heard())

    def heard(self):
        """The identifiers of the notifications in the file, by item; one for each line that has it."""
        path = self.folder / "heard.jsonl"
        items = defaultdict(list)
        for line in path.read_text().splitlines() if path.exists() else []:
            notification = json.loads(line)
            for item in notification.get("items") or []:
                items[item["id"]].append(notification["identifier"])
        return items

    def judge(self, figures):
        heard, told, served = self.heard(), self.world.told, self.world.served
        lost = [item for item in served if item not in heard or item not in told]
        others = [item for item, names in told.items() if len(names) > 1]
        others += [item for item, names in heard.items() if len(set(names)) > 1]
        again = sum(len(names) - 1 for names in heard.values())
        if lost:
            self.faults.append(f"lost {len(lost)}, such as {lost[:5]}")
        if others:
            self.faults.append(f"told under a second identifier {len(others)}, such as {others[:5]}")
        if again and not self.happened["kill"]:
            self.faults.append(f"told again in the file {again}")
        with sqlite3.connect(self.folder / "crier.sqlite") as db:
            check = db.execute("PRAGMA integrity_check").fetchone()[0]
            if check != "ok":
                self.faults.append(check)
        first, last = figures[0], figures[-1]
        if max(figure[0] for figure in figures[-3:]) > first[0] + 8:
            self.faults.append(f"descriptors {[figure[0] for figure in figures]}")
        if last[2] > first[2] * 1.2 + (4 << 20):
            self.faults.append(f"anonymous memory {[figure[2] >> 20 for figure in figures]} MiB")
        print(
            f"soak of the binary: {SOURCES} sources, {self.world.requests} requests, {self.world.not_modified} of them 304, "
            f"{dict(self.happened)}; items {len(served)}, calls {self.world.calls}, lost {len(lost)}, told under a second "
            f"identifier {len(others)}, again in the file after a kill {again}; in one life descriptors {first[0]} to "
            f"{last[0]}, threads {first[1]} to {last[1]}, anonymous memory {first[2] / 2**20:.1f} to "
            f"{last[2] / 2**20:.1f} MiB; longest end {self.longest_end * 1000:.0f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", action="store_true", required=True)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--crier", type=Path, help="a built binary; else the release is built")
    options = parser.parse_args()
    crier = options.crier or programs.build_crier(ROOT)
    with tempfile.TemporaryDirectory(prefix="crier-soak-") as folder:
        soak = Soak(crier.resolve(), options.seed, folder)
        soak.judge(soak.run(options.seconds))
        for fault in soak.faults:
            print(f"seed {options.seed}: {fault}", file=sys.stderr)
        sys.exit(1 if soak.faults else 0)


main()
