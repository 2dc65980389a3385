"""Fails where a run that finds one source unchanged begins to cost more: such runs are what cron starts all day long; or where its
visit keeps more in its task: of many, 32 are under way at once.

usage: start.py BINARY    a release with its symbols

Instructions of the program's own functions are counted, which are the same on every machine, but for a hundredth. Where a change
is worth more of them, the limit moves with it. The decision "A lean binary" tells what makes a start dear. Needs valgrind and
binutils.
"""
import http.server
import os
import shutil
import socketserver
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks"))
sys.dont_write_bytecode = True

import callgrind
import tasks

LIMIT = 2_605_000
# Bytes of the asynchronous functions that it goes through (decision "A run makes its visits on the thread that sends their requests").
TASKS_LIMIT = 36_500
# Of the runtime's functions that look through all of the program's conformances, ten thousand, and note what they have found for
# this process alone.
SEARCH = "conformsToProtocol"
# How many others the runtime meets on its way to a generic type in its table: that hangs on where the types lie in the program, and
# moves by a hundredth with any change.
LUCK = "MetadataCacheKey"
# What puts a job on the threads that all tasks share, and the thread that waits for events on behalf of dispatch (decision "One lane").
SHARED_THREADS = ("swift_dispatchEnqueueGlobal", "_dispatch_mgr_invoke")

FEED = b"""<rss version="2.0"><channel><title>One</title><link>http://127.0.0.1/</link><description/>
<item><title>First</title><guid>1</guid></item></channel></rss>"""


class Origin(http.server.BaseHTTPRequestHandler):
    unchanged = 0

    def do_GET(self):
        is_known = self.headers["If-None-Match"] == '"1"'
        Origin.unchanged += is_known
        self.send_response(304 if is_known else 200)
        self.send_header("ETag", '"1"')
        if not is_known:
            self.send_header("Content-Type", "application/rss+xml")
            self.send_header("Content-Length", str(len(FEED)))
        self.end_headers()
        if not is_known:
            self.wfile.write(FEED)

    def log_message(self, *_):
        pass


def visits(binary, folder):
    """What an unchanged source costs the program's own functions, and what those that are asynchronous keep, by name."""
    # Not an HTTPServer, which looks its own name up.
    with socketserver.TCPServer(("127.0.0.1", 0), Origin) as origin:
        threading.Thread(target=origin.serve_forever, daemon=True).start()
        config = folder / "crier.yaml"
        config.write_text(f"sources: {{one: {{url: 'http://127.0.0.1:{origin.server_address[1]}/', first: none}}}}\n")
        # No other, as each variable is read.
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8",
            "CRIER_CONFIG": str(config), "CRIER_STATE": str(folder / "crier.sqlite")}
        plain, trace = callgrind.plain(binary, folder), folder / "trace"
        for command in ([str(plain)], callgrind.command(plain, trace)):
            subprocess.run([*command, "fetch", "--force", "--quiet"], env=environment, check=True, timeout=120)
        origin.shutdown()
    costs, sizes = callgrind.own(trace, plain), tasks.sizes(plain)
    costs = {name: cost for name, cost in costs.items() if LUCK not in name}
    return costs, {name: sizes[name] for name in costs if name in sizes}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if missing := [tool for tool in ("valgrind", "objcopy") if not shutil.which(tool)]:
        sys.exit(f"{' and '.join(missing)} cannot be found; scripts/bootstrap --tests installs what is missing")
    with tempfile.TemporaryDirectory(prefix="crier-start-") as folder:
        costs, kept = visits(Path(sys.argv[1]).resolve(), Path(folder))
    if Origin.unchanged != 1 or not costs:
        sys.exit("the source was not visited, or not traced")
    print(f"one source unchanged: {sum(costs.values()):,} instructions of the program's own")
    if any(SEARCH in name for name in costs):
        sys.exit("the runtime searches for a conformance: a cast, a key path, a generic call or the like has come into the way of a visit")
    if any(name.startswith(SHARED_THREADS) for name in costs):
        sys.exit("the threads that all tasks share are begun: a task without the lane, or a timer, has come into the way of a visit")
    demand(costs, LIMIT)
    print(f"asynchronous functions of the visit: {sum(kept.values()):,} bytes of its tasks")
    demand(kept, TASKS_LIMIT)


def demand(costs, limit):
    """That they are no more altogether."""
    if sum(costs.values()) > limit:
        dearest = sorted(costs, key=costs.get, reverse=True)[:5]
        sys.exit(f"they were at most {limit:,}. The dearest: {', '.join(dearest)}")


main()
