"""Markdown of what was measured."""

import platform
import shutil
import subprocess
from datetime import date
from pathlib import Path


def microseconds(seconds):
    return f"{seconds * 1e6:,.0f} µs" if seconds < 0.1 else f"{seconds:,.2f} s"


def table(result):
    unit = microseconds if result.per_source else (lambda seconds: f"{seconds * 1000:,.1f} ms")
    lines = [f"### {result.title}"]
    if result.rows:
        lines += ["", "| | CPU | wall | peak memory | the origin saw |", "|---|--:|--:|--:|---|"]
    for row in result.rows:
        proof = str(row.proof) or row.note
        lines.append(
            f"| {row.name} | {unit(row.cost.cpu)} | {unit(row.cost.wall)} | {row.cost.memory / 1e6:.1f} MB | {proof} |")
    lines += ["", "| | measured | target |", "|---|--:|--:|"]
    lines += [f"| {what} | {value} | {target} |" for what, value, target in result.verdicts]
    return "\n".join(lines) + "\n"


def first_line(*command):
    if not shutil.which(command[0]):
        return None
    done = subprocess.run(command, capture_output=True, text=True)
    return ((done.stdout or done.stderr).splitlines() or [""])[0].strip()


def versions(setting, results):
    """Of what was measured, and of what all of it needs."""
    measured = ["crier", "swift", "nginx", "libcurl"] + [row.name for result in results for row in result.rows]

    def is_measured(name):
        return any(row.startswith(name) for row in measured)

    processor = next(
        (line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line),
        platform.processor())
    commands = {
        "crier": [str(setting.crier), "--version"], "swift": ["swift", "--version"], "nginx": ["nginx", "-v"],
        "libcurl": ["curl", "--version"], "newsboat": ["newsboat", "--version"], "urlwatch": ["urlwatch", "--version"],
        "rss2email": ["r2e", "--version"], "feed2exec": ["feed2exec", "--version"],
    }
    lines = [f"- {date.today()}, {platform.platform()}, {processor}, medians of {setting.runs} or more interleaved runs"]
    for name, command in commands.items():
        line = first_line(*command)
        if line and is_measured(name):
            lines.append(f"- {name}: {line}")
    for module in ("reader", "feedparser"):
        line = first_line(
            setting.python, "-c", f"from importlib.metadata import version; print(version('{module}'))")
        if line and line[0].isdigit() and is_measured(module):
            lines.append(f"- {module}: {line}")
    return "\n".join(lines) + "\n"


def write(path, setting, results):
    text = """# Benchmarks

Written by `scripts/bench`. All programs run in turn on one machine against one nginx on its loopback; ratios are taken
within each round. Other machines give other times, so compare ratios only. CPU is user and system time of the program and
its children. "Per source" is less the run with one source. The floors are C programs of `scripts/benchmarks`: *transport*
fetches with curl_multi, *state* keeps validators in SQLite too, *full* reads with expat or SQLite's JSON functions and
stores every item. The state that a run begins with is copied and on the disk before it begins.

"""
    text += versions(setting, results) + "\n" + "\n".join(table(result) for result in results)
    Path(path).write_text(text)
