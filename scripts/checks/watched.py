"""Runs a command and passes on what it writes. Where nothing comes for ten minutes it tells what the command was at, ends it and
all that it has started, and fails: a test that hangs is told by its name.

usage: watched.py COMMAND …
"""

import os
import re
import select
import shutil
import signal
import subprocess
import sys

SILENCE = float(os.environ.get("CRIER_TEST_SILENCE", 600))


def pipes(process: int | str) -> set[str]:
    """Those that a process holds."""
    folder, found = f"/proc/{process}/fd", set()
    for number in os.listdir(folder):
        try:
            found.add(os.readlink(f"{folder}/{number}"))
        except OSError:
            continue
    return {link for link in found if link.startswith("pipe:")}


def processes(own: set[str]) -> list[int]:
    """The command and what it has started, also that of which the starter has ended, if it holds a pipe of the others: who reads
    that waits for it.

    own: the pipes of this process that are not the command's.
    """
    children: dict[int, list[int]] = {}
    holders: dict[str, list[int]] = {}
    for process in map(int, filter(str.isdigit, os.listdir("/proc"))):
        try:
            with open(f"/proc/{process}/stat") as file:
                children.setdefault(int(file.read().rpartition(")")[2].split()[1]), []).append(process)
            for pipe in pipes(process) - own:
                holders.setdefault(pipe, []).append(process)
        except OSError:
            continue
    found, ahead = {os.getpid()}, [os.getpid()]
    while ahead:
        process = ahead.pop()
        near = set(children.get(process, [])).union(*(held for held in holders.values() if process in held)) - found
        found |= near
        ahead += near
    return sorted(found - {os.getpid()})


def run_to_end(*command: str) -> str:
    try:
        return subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=120
        ).stdout
    except subprocess.TimeoutExpired:
        return f"{command[0]} does not end\n"


def threads_of(process: int) -> str:
    """Where each of its threads is."""
    if not shutil.which("gdb"):
        return "gdb would tell where its threads are\n"
    text = run_to_end("gdb", "-batch", "-nx", "-p", str(process), "-ex", "thread apply all bt 30")
    begin = text.find("\nThread ")
    return text[max(begin, 0) :]


class Tests:
    """Which tests have begun and not ended, as their output has it."""

    def __init__(self) -> None:
        self.under_way: dict[str, None] = {}
        self.rest = b""  # of the last line

    def read(self, data: bytes) -> None:
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            text = line.decode(errors="replace")
            if match := re.match(r"◇ Test (?!case |run )(.+) started\.$", text):
                self.under_way[match[1]] = None
            elif match := re.match(r"[✔✘] Test (.+?)(?: with \d+ test cases?)? (?:passed|failed) after", text):
                self.under_way.pop(match[1], None)


def tell(left: list[int]) -> None:
    """What there still is, and where it is."""
    print(f"\n{sys.argv[1]}: nothing has come for {SILENCE:.0f} s", flush=True)
    print(run_to_end("ps", "-o", "pid,ppid,etimes,stat,wchan:20,args", "-p", ",".join(map(str, left))), flush=True)
    for process in left:
        try:
            program = os.path.basename(os.readlink(f"/proc/{process}/exe"))
        except OSError:
            continue
        if program.endswith(".xctest") or program == "swift-test":
            print(f"{program} {process}:\n{threads_of(process)}", flush=True)


def end(processes: list[int]) -> None:
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def main() -> int:
    own = pipes("self")
    command = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    tests = Tests()
    output = command.stdout.fileno()

    def pass_on(silence: float) -> bool:
        """Until its output ends, which is true, or nothing comes for so long."""
        while select.select([output], [], [], silence)[0]:
            data = os.read(output, 1 << 16)
            if not data:
                return True
            tests.read(data)
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        return False

    if pass_on(SILENCE):
        try:
            return command.wait(SILENCE)
        except subprocess.TimeoutExpired:
            pass
    tell(processes(own))
    end([process for process in processes(own) if process != command.pid])
    # What it has kept for itself, as there was somebody to wait for.
    pass_on(10)
    if command.poll() is None:
        end([command.pid])
    print("\nbegun and not ended:", "; ".join(tests.under_way) or "no test", flush=True)
    return 124


try:
    sys.exit(main())
except KeyboardInterrupt:
    sys.exit(130)
