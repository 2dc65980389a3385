"""What is measured: crier and the floors. Each has a folder `state`, which every run finds as the first fetch left it."""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import feeds
import measure

HERE = Path(__file__).parent
GANK = "format: json, items: '.results[][]', when: '.error == false'"
FIELDS = "fields: {id: ._id, title: .desc, url: .url, published: .publishedAt, author: .who}"


class Program:
    name = ""  # in tables

    def __init__(self, folder):
        self.folder = Path(folder)
        self.environment = {}
        self.state = self.folder / "state"
        self.saved = self.folder / "saved"
        self.state.mkdir(parents=True)

    def follow(self, urls):
        """Writes the list of sources."""
        raise NotImplementedError

    def command(self):
        raise NotImplementedError

    def items(self):
        """How many items are stored; nil where it keeps none."""
        return None

    def save(self):
        shutil.rmtree(self.saved, ignore_errors=True)
        shutil.copytree(self.state, self.saved)

    def restore(self):
        shutil.rmtree(self.state)
        if self.saved.exists():
            shutil.copytree(self.saved, self.state)
            settle(self.state)
        else:
            self.state.mkdir()


def settle(folder):
    """Writes what was copied to the disk: otherwise a program that waits for its own few pages there would write the copy, too."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())


def read_anew(binary):
    """Has the system read a program as after its start: of one that was just written it shows two megabytes more to a process."""
    with binary.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


class Crier(Program):
    name = "crier"

    def __init__(self, folder, binary):
        super().__init__(folder)
        self.binary = str(binary)
        self.database = self.state / "crier.sqlite"
        self.raised = self.state / "news.jsonl"
        self.config = self.folder / "crier.yaml"
        self.environment = {"CRIER_CONFIG": str(self.config), "CRIER_STATE": str(self.database)}

    def follow(self, urls):
        lines = ["sources:"]
        anchor = f"<<: &gank {{{GANK}, {FIELDS}, first: none}}"
        for number, url in enumerate(urls):
            if url.split("?")[0].endswith(".json"):
                lines.append(f"  s{number}: {{url: '{url}', {anchor}}}")
                anchor = "<<: *gank"
            else:
                lines.append(f"  s{number}: {{url: '{url}', first: none}}")
        self.config.write_text("\n".join(lines) + "\n")

    def notify_file(self):
        """Notifications go to a file, and not to standard output."""
        self.config.write_text(f"sinks:\n  file: {{path: '{self.raised}'}}\n" + self.config.read_text())

    def authorize(self):
        subprocess.run(
            [self.binary, "authorize", "--allow"], env=measure.clean(self.environment), check=True, stdout=subprocess.DEVNULL)

    def command(self):
        return [self.binary, "fetch", "--force", "--quiet", "--format", "json"]

    def count(self, table):
        with closing(sqlite3.connect(self.database)) as db, db:
            return db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]

    def update(self, sql):
        with closing(sqlite3.connect(self.database)) as db, db:
            db.execute(sql)

    def items(self):
        return self.count("item")


class Floor(Program):
    def __init__(self, folder, binary, level):
        super().__init__(folder)
        self.name = f"floor: {level}"
        self.level = level
        self.binary = str(binary)
        self.urls = self.folder / "urls"
        self.database = self.state / "floor.sqlite"

    def follow(self, urls):
        self.urls.write_text("".join(f"{url}\n" for url in urls))

    def command(self):
        return [self.binary, self.level, str(self.urls), str(self.database)]

    def items(self):
        if self.level != "full":
            return None
        with closing(sqlite3.connect(self.database)) as db, db:
            return db.execute("SELECT count(*) FROM item").fetchone()[0]


def build_floor(folder):
    binary = Path(folder) / "floor"
    sources = [str(HERE / name) for name in ("floor.c", "state.c", "items.c")]
    subprocess.run(
        ["cc", "-O2", "-Wall", "-Wextra", "-D_GNU_SOURCE", "-o", str(binary), *sources, "-lcurl", "-lsqlite3",
         "-lexpat"], check=True)
    return binary


def build_crier(root):
    build = root / "scripts/build"
    subprocess.run([build], check=True, stdout=subprocess.DEVNULL)
    shown = subprocess.run([build, "--show-bin-path"], check=True, capture_output=True, text=True)
    return Path(shown.stdout.strip()) / "crier"


def feed_urls(server, count, address="127.0.0.1", scheme="http"):
    return [server.url(feeds.name(number), address, scheme) for number in range(count)]
