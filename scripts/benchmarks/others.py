"""What a user may have instead, where it is installed. They follow the RSS and Atom sources only: none reads the JSON."""

import shutil
import subprocess
import sys
from pathlib import Path

from programs import HERE, Program


class Rival(Program):
    def beside(self, folder):
        """The same program with a folder of its own."""
        return type(self)(folder)


class Newsboat(Rival):
    name = "newsboat"

    def follow(self, urls):
        (self.folder / "urls").write_text("".join(f"{url}\n" for url in urls))
        (self.folder / "config").write_text("reload-threads 8\n")

    def command(self):
        return ["newsboat", "-q", "-u", str(self.folder / "urls"), "-C", str(self.folder / "config"),
                "-c", str(self.state / "cache.db"), "-x", "reload"]


class Sfeed(Rival):
    name = "sfeed"

    def follow(self, urls):
        feeds = "\n".join(f"\tfeed s{number} '{url}'" for number, url in enumerate(urls))
        (self.folder / "sfeedrc").write_text(f'sfeedpath="{self.state}"\nfeeds() {{\n{feeds}\n}}\n')

    def command(self):
        return ["sfeed_update", str(self.folder / "sfeedrc")]


class Rss2email(Rival):
    name = "rss2email"

    def follow(self, urls):
        sections = "".join(f"[feed.s{number}]\nurl = {url}\n" for number, url in enumerate(urls))
        # A program that takes every letter and drops it.
        (self.folder / "r2e.cfg").write_text(
            "[DEFAULT]\nfrom = a@example.org\nto = b@example.org\nemail-protocol = sendmail\nsendmail = /bin/true\n"
            + sections)

    def command(self):
        return ["r2e", "-c", str(self.folder / "r2e.cfg"), "-d", str(self.state / "r2e.json"), "run", "-n"]


class Feed2exec(Rival):
    name = "feed2exec"

    def follow(self, urls):
        (self.folder / "feed2exec.ini").write_text(
            "".join(f"[s{number}]\nurl = {url}\noutput = feed2exec.plugins.null\n" for number, url in enumerate(urls)))

    def command(self):
        return ["feed2exec", "-q", "--config", str(self.folder / "feed2exec.ini"),
                "--database", str(self.state / "feed2exec.db"), "fetch"]


class Urlwatch(Rival):
    name = "urlwatch"

    def follow(self, urls):
        (self.folder / "urls.yaml").write_text("---\n".join(f"url: {url}\n" for url in urls))
        (self.folder / "urlwatch.yaml").write_text("report: {}\n")

    def command(self):
        return ["urlwatch", "--urls", str(self.folder / "urls.yaml"), "--config", str(self.folder / "urlwatch.yaml"),
                "--cache", str(self.state / "cache.db")]


class PythonLoop(Rival):
    def __init__(self, folder, python, module):
        super().__init__(folder)
        self.python = python
        self.module = module
        self.name = {"reader": "reader", "feedparser": "feedparser loop"}[module]

    def beside(self, folder):
        return PythonLoop(folder, self.python, self.module)

    def follow(self, urls):
        (self.folder / "urls").write_text("".join(f"{url}\n" for url in urls))

    def command(self):
        return [self.python, str(HERE / f"with_{self.module}.py"), str(self.folder / "urls"), str(self.state / "state")]


def installed(folder, python):
    """- python: an interpreter that may have `reader` and `feedparser`."""
    folder = Path(folder)
    found = []
    for program, kind in {"newsboat": Newsboat, "sfeed_update": Sfeed, "r2e": Rss2email, "feed2exec": Feed2exec,
                          "urlwatch": Urlwatch}.items():
        if shutil.which(program):
            found.append(kind(folder / kind.name))
        else:
            print(f"skipped: {kind.name} is not installed", file=sys.stderr)
    for module in ("reader", "feedparser"):
        if subprocess.run([python, "-c", f"import {module}"], stderr=subprocess.DEVNULL).returncode == 0:
            found.append(PythonLoop(folder / module, python, module))
        else:
            print(f"skipped: {python} has no module {module}", file=sys.stderr)
    return found
