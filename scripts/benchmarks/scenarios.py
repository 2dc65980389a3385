"""Each scenario makes its sources, runs everything in turn, checks that the work was done, and gives rows."""

import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

import agent as agents
import certificates
import feeds
import measure
import others
import programs
from origin import Server


@dataclass
class Setting:
    folder: Path
    crier: Path
    floor: Path
    meter: measure.Meter
    python: str
    runs: int
    sources: int
    most: int  # sources in one database


@dataclass
class Row:
    name: str
    cost: measure.Cost
    proof: object = ""
    note: str = ""


@dataclass
class Result:
    title: str
    per_source: bool
    rows: list = field(default_factory=list)
    # (what, ratio or value, target)
    verdicts: list = field(default_factory=list)


class Bench:
    """An origin and the programs that visit it."""

    def __init__(self, setting, name, count):
        self.setting = setting
        self.folder = setting.folder / name
        self.count = count
        self.feeds = feeds.Origin(self.folder / "www", count)
        self.server = Server(self.folder / "nginx", self.folder / "www")
        self.programs = {}

    def add(self, key, program, count=None, only_feeds=False):
        urls = programs.feed_urls(self.server, count or self.count)
        if only_feeds:
            urls = [url for url in urls if not url.endswith(".json")]
        program.sources = len(urls)
        program.follow(urls)
        self.programs[key] = program
        return program

    def add_crier(self, key="crier", count=None):
        crier = programs.Crier(self.folder / key, self.setting.crier)
        self.add(key, crier, count)
        crier.authorize()
        crier.save()
        return crier

    def add_floor(self, level, key=None, count=None):
        key = key or level
        return self.add(key, programs.Floor(self.folder / key, self.setting.floor, level), count)

    def first_fetch(self):
        """What every later run starts from."""
        for key, program in self.programs.items():
            self.setting.meter.run(program.command(), program.environment)
            self.check(key, program, self.server.take(), not_modified=0, new=0)
            program.save()

    def rounds(self, not_modified=None, new=0, times=1):
        """Runs all programs in turn, so many times the usual; gives the costs by key, and one proof each."""
        costs = {key: [] for key in self.programs}
        proofs = {}
        for _ in range(times * self.setting.runs):
            for key, program in self.programs.items():
                program.restore()
                costs[key].append(self.setting.meter.run(program.command(), program.environment))
                proofs[key] = self.server.take()
                self.check(key, program, proofs[key], not_modified, new)
                self.check_notifications(key, program, new)
        return costs, proofs

    def check(self, key, program, proof, not_modified, new):
        expected = program.sources
        if isinstance(program, (programs.Crier, programs.Floor)):
            assert proof.requests == expected, f"{key}: {proof}, expected {expected} requests"
            items = program.items()
            wanted = expected * feeds.ITEMS + new if new is not None else None
            if items is not None and wanted is not None and program.sources == self.count:
                assert items == wanted, f"{key}: {items} items stored, expected {wanted}"
            if not_modified is not None and expected == self.count and getattr(program, "level", "") != "transport":
                assert proof.not_modified == not_modified, f"{key}: {proof}"

    def check_notifications(self, key, program, new):
        if not new or program.sources != self.count or not isinstance(program, programs.Crier):
            return
        lines = program.raised.read_text().count("\n")
        assert lines == new, f"{key}: {lines} notifications, expected {new}"

    def end(self):
        self.server.stop()
        self.feeds.remove()


def rows_per_source(result, costs, proofs, starts, sources):
    """- starts: for each key, the key of the run with one source."""
    per_source = {}
    for key, start in starts.items():
        per_source[key] = measure.less(costs[key], costs[start], sources[key])
        result.rows.append(Row(key, measure.median(per_source[key]), proofs[key]))
    return per_source


def compare_per_source(setting, result, costs, proofs, keys, target):
    """Of crier, the first key, beside the last one; the target is of the CPU time."""
    per_source = rows_per_source(
        result, costs, proofs, {key: f"{key} 1" for key in keys}, {key: setting.sources for key in keys})
    for key in ("cpu", "wall"):
        ratio = measure.ratio(per_source[keys[0]], per_source[keys[-1]], key)
        result.verdicts.append((f"{key}: {keys[0]} / {keys[-1]}", f"{ratio:.2f}", target if key == "cpu" else ""))


def unchanged(setting):
    """Sources of which nothing has changed."""
    bench = Bench(setting, "unchanged", setting.sources)
    keys = ["crier", "transport", "state"]
    bench.add_crier()
    bench.add_crier("crier 1", 1)
    for level in keys[1:]:
        bench.add_floor(level)
        bench.add_floor(level, f"{level} 1", 1)
    bench.first_fetch()
    costs, proofs = bench.rounds(not_modified=setting.sources, times=3)
    bench.end()
    result = Result(f"{setting.sources} sources unchanged, one-shot: per source", True)
    compare_per_source(setting, result, costs, proofs, keys, "≤ 2.0")
    return result


def changed(setting):
    """A tenth of the sources has three new items each, which are raised."""
    bench = Bench(setting, "changed", setting.sources)
    for crier in (bench.add_crier(), bench.add_crier("crier 1", 1)):
        crier.notify_file()
    bench.add_floor("full")
    bench.add_floor("full", "full 1", 1)
    bench.first_fetch()
    count = bench.feeds.change(0.1, 3)
    # The one source of the start-up runs stays as it is.
    bench.feeds.write(0)
    bench.feeds.write(1, 3)
    costs, proofs = bench.rounds(not_modified=setting.sources - count, new=3 * count, times=3)
    bench.end()
    result = Result(
        f"{setting.sources} sources, {count} of them with 3 new items, each written by the file sink: per source", True)
    keys = ["crier", "full"]
    compare_per_source(setting, result, costs, proofs, keys, "≤ 2.0")
    return result


def first(setting):
    """The first fetch: every item is stored."""
    bench = Bench(setting, "first", setting.sources)
    keys = ["crier", "full"]
    bench.add_crier()
    bench.add_crier("crier 1", 1)
    bench.add_floor("full")
    bench.add_floor("full", "full 1", 1)
    costs, proofs = bench.rounds(not_modified=0)
    bench.end()
    result = Result(f"first fetch of {setting.sources} sources, {setting.sources * feeds.ITEMS} items stored: per source",
                    True)
    compare_per_source(setting, result, costs, proofs, keys, "≤ 1.5")
    memory = measure.ratio(costs["crier"], costs["full"], "memory")
    result.verdicts.append(("peak memory: crier / full", f"{memory:.2f}", "≤ 2"))
    return result


def one(setting):
    """One source unchanged, from a cold start: what cron does most of the time."""
    bench = Bench(setting, "one", 1)
    bench.add_crier()
    bench.add_floor("transport")
    bench.add_floor("state")
    bench.first_fetch()
    costs, proofs = bench.rounds(not_modified=1, times=4)
    version = [setting.meter.run([str(setting.crier), "--version"]) for _ in range(4 * setting.runs)]
    bench.end()
    result = Result("one source unchanged, one-shot from cold", False)
    for key, cost in costs.items():
        result.rows.append(Row(key, measure.median(cost), proofs[key]))
    result.rows.append(Row("crier --version", measure.median(version)))
    for key in ("cpu", "wall"):
        result.verdicts.append(
            (f"{key}: crier / state", f"{measure.ratio(costs['crier'], costs['state'], key):.2f}", "≤ 1.4"))
    memory = measure.median(costs["crier"]).memory / 1e6
    result.verdicts.append(("peak memory of crier", f"{memory:.1f} MB", "≤ 20 MB"))
    return result


def parse(setting):
    """Documents to items, without network or state; one line of text is printed for each item."""
    folder = setting.folder / "parse"
    origin = feeds.Origin(folder, 300)
    names = {"XML": [feeds.name(number) for number in range(300) if feeds.kind(number) != "gank"], "JSON Feed": []}
    for number in range(200):
        names["JSON Feed"].append(f"f{number}.json")
        (folder / f"f{number}.json").write_text(feeds.json_feed(number))
    result = Result("documents to items (`crier parse`), all files less one file", False)
    for title, target in (("XML", "≥ 100 MB/s"), ("JSON Feed", "≥ 60 MB/s")):
        files = [folder / name for name in names[title]]
        size = sum(file.stat().st_size for file in files)
        command = [str(setting.crier), "parse"]
        costs, starts = [], []
        for _ in range(setting.runs):
            costs.append(setting.meter.run([*command, *map(str, files)]))
            starts.append(setting.meter.run([*command, str(files[0])]))
        cost = measure.median(measure.less(costs, starts, 2))
        result.rows.append(Row(f"{title}, {len(files)} files", cost, note=f"{size / 1e6:.1f} MB"))
        result.verdicts.append((f"{title} to items", f"{size / cost.cpu / 1e6:.0f} MB/s", target))
    origin.remove()
    return result


def growth(setting):
    """Documents of one to a hundred million bytes: the time for each million stays the same."""
    folder = setting.folder / "growth"
    folder.mkdir()
    # No format may have more than 10,000 items.
    length = 12_000
    items = [feeds.item(0, index, length) for index in range(8500)]
    gank = ["--items", ".results[][]", "--field", "id=._id", "--field", "url=.url", "--field", "published=.publishedAt"]
    fields = {"id": "@id", "title": "h2", "url": "h2/a/@href", "author": "i", "published": "time/@datetime", "summary": "p"}
    xpath = ["--read", "html", "--items", "//li"]
    for field, expression in fields.items():
        xpath += ["--field", f"{field}={expression}"]
    forms = {
        "RSS": (feeds.rss, []), "Atom": (feeds.atom, []), "JSON Feed": (feeds.json_feed, []),
        "JSON by paths": (feeds.gank, [*gank, "--field", "title=.desc"]),
        "JSON by a jq program": (feeds.gank, [*gank, "--field", "title=.desc | split(\" \")[:7] | join(\" \")"]),
        "HTML by XPath": (feeds.page, xpath),
    }
    result = Result("documents of growing size to items (`crier parse`), less an empty one", False)
    for form, (make, options) in forms.items():
        command = [str(setting.crier), "parse", *options]
        (folder / "empty").write_text(make(0, items[:1]))
        per_million = {}
        # A jq program has two seconds of computing, on a slow machine too, XPath 64 MiB of text.
        most = {"JSON by a jq program": 10, "HTML by XPath": 50}.get(form, 100)
        less = max(2, most // 10)
        for megabytes in sorted({1, less, most // 2, most}):
            text = make(0, items[:megabytes * 1_000_000 // length])
            size = len(text.encode()) / 1e6
            (folder / "full").write_text(text)
            costs, starts = [], []
            for _ in range(setting.runs):
                starts.append(setting.meter.run([*command, folder / "empty"]))
                costs.append(setting.meter.run([*command, folder / "full"]))
            cost = measure.median(measure.less(costs, starts, 2))
            per_million[megabytes] = cost.cpu / size
            note = f"{size:.1f} MB, {cost.cpu / size * 1000:.2f} ms each"
            result.rows.append(Row(f"{form}, {megabytes} MB", cost, note=note))
        ratio = per_million[most] / per_million[less]
        result.verdicts.append((f"cpu of a megabyte: {form}, of {most} / of {less}", f"{ratio:.2f}", "≤ 1.2"))
    shutil.rmtree(folder)
    return result


def scale(setting):
    """Many sources in configuration and database, of which 1,000 or a tenth are due; those have not changed.

    1,000 among 100,000 have a page of the database each, and take a tenth of the time that such a start takes.
    """
    result = Result("due sources among many: per due source, and start-up with none due", True)
    documents = feeds.Origin(setting.folder / "scale/www", 1000)
    server = Server(setting.folder / "scale/nginx", documents.folder)
    command = [str(setting.crier), "fetch", "--quiet"]
    counts = [1000] + [size for size in (10_000, 100_000) if size <= setting.most]
    shares = [(count, due) for count in counts for due in sorted({1000, max(1000, count // 10)})]
    followers = {}
    for count in counts:
        crier = programs.Crier(setting.folder / f"scale/{count}", setting.crier)
        crier.follow([f"{server.url(feeds.name(number % 1000))}?{number}" for number in range(count)])
        crier.authorize()
        setting.meter.run(crier.command(), crier.environment)
        assert crier.count("source") == count and crier.items() == count * feeds.ITEMS
        followers[count] = crier
    server.take()

    def run(count, due):
        crier = followers[count]
        crier.update("UPDATE visit SET nextFetch = unixepoch() * 1000 + 3000000")
        if due:
            crier.update(f"UPDATE visit SET nextFetch = 1 WHERE source % {count // due} = 0")
        cost = setting.meter.run(command, crier.environment)
        proof = server.take()
        assert proof.requests == proof.not_modified == due, f"{due} of {count}: {proof}"
        return cost, proof

    costs, starts, proofs = {share: [] for share in shares}, {count: [] for count in counts}, {}
    # Many, as what is compared is a small part of what is measured.
    for _ in range(3 * setting.runs):
        for count in counts:
            starts[count].append(run(count, 0)[0])
        for share in shares:
            cost, proofs[share] = run(*share)
            costs[share].append(cost)
    per_due = {(count, due): measure.less(costs[count, due], starts[count], due + 1) for count, due in shares}
    usual = per_due[1000, 1000]
    for count, due in shares:
        result.rows.append(Row(f"crier, {due} of {count} sources", measure.median(per_due[count, due]), proofs[count, due]))
    for count in counts:
        target = "≤ 500 ms" if count > 1000 else ""
        start = measure.median(starts[count])
        result.verdicts.append((f"cpu: start-up with {count} sources", f"{start.cpu * 1000:.0f} ms", target))
    for count, due in shares[1:]:
        ratio = measure.ratio(per_due[count, due], usual, "cpu")
        result.verdicts.append((f"cpu: a due source, {due} of {count} / 1000 of 1000", f"{ratio:.2f}", "≤ 1.2"))
    server.stop()
    documents.remove()
    return result


def tls(setting):
    """A hundred fresh https connections; the origin has a certificate authority of its own."""
    count = 100
    folder = setting.folder / "tls"
    documents = feeds.Origin(folder / "www", count)
    addresses = [f"127.0.1.{number + 1}" for number in range(count)]
    authority = certificates.Authority(folder, addresses)
    server = Server(folder / "nginx", documents.folder, authority.server, addresses)
    urls = [server.url(feeds.name(number), addresses[number], "https") for number in range(count)]
    crier = programs.Crier(folder / "crier", setting.crier)
    hashed = programs.Floor(folder / "hashed", setting.floor, "state")
    bundle = programs.Floor(folder / "bundle", setting.floor, "state")
    crier.environment["SSL_CERT_DIR"] = hashed.environment["CA_DIR"] = str(authority.directory)
    bundle.environment["CA_FILE"] = str(authority.bundle)
    runs = {"crier": crier, "state, hashed directory": hashed, "state, Debian's bundle": bundle}
    for key, program in runs.items():
        program.follow(urls)
        if key == "crier":
            crier.authorize()
        setting.meter.run(program.command(), program.environment)
        program.save()
    server.take()
    costs, proofs = {key: [] for key in runs}, {}
    for _ in range(setting.runs):
        for key, program in runs.items():
            program.restore()
            costs[key].append(setting.meter.run(program.command(), program.environment))
            proofs[key] = server.take()
            assert proofs[key].not_modified == count, f"{key}: {proofs[key]}"
    server.stop()
    result = Result(f"{count} fresh https connections, unchanged, one-shot as a whole", False)
    for key, cost in costs.items():
        result.rows.append(Row(key, measure.median(cost), proofs[key]))
    for key in list(runs)[1:]:
        target = "≤ 1.3" if "hashed" in key else ""
        ratio = measure.ratio(costs["crier"], costs[key], "cpu")
        result.verdicts.append((f"cpu: crier / {key}", f"{ratio:.2f}", target))
    return result


def rivals(setting):
    """What is installed of other programs, the RSS and Atom sources only."""
    bench = Bench(setting, "rivals", setting.sources)
    bench.add_crier()
    bench.add_crier("crier 1", 1)
    found = []
    for program in others.installed(bench.folder, setting.python):
        bench.add(program.name, program, only_feeds=True)
        try:
            setting.meter.run(program.command(), program.environment)
        except SystemExit as failure:
            print(f"skipped: {failure}", file=sys.stderr)
            del bench.programs[program.name]
            continue
        finally:
            program.restore()
            bench.server.take()
        found.append(program)
        bench.add(f"{program.name} 1", program.beside(f"{program.folder} 1"), 1, only_feeds=True)
    bench.first_fetch()
    costs, proofs = bench.rounds()
    bench.end()
    for program in [program for program in found if proofs[program.name].requests < program.sources]:
        print(f"skipped: {program.name} asked for {proofs[program.name].requests} sources only", file=sys.stderr)
        found.remove(program)
    result = Result(f"{setting.sources} sources unchanged, beside other programs: per source of each", True)
    keys = ["crier"] + [program.name for program in found]
    sources = {key: bench.programs[key].sources for key in keys}
    per_source = rows_per_source(result, costs, proofs, {key: f"{key} 1" for key in keys}, sources)
    for key in keys[1:]:
        ratio = measure.ratio(per_source[key], per_source["crier"], "cpu")
        result.verdicts.append((f"cpu: {key} / crier", f"{ratio:.1f}", ""))
    return result


def agent(setting):
    """The agent with sources of an hour: its start, an idle time, and two minutes of work."""
    count, seconds = setting.sources, 120
    folder = setting.folder / "agent"
    documents = feeds.Origin(folder / "www", count)
    server = Server(folder / "nginx", documents.folder)
    crier = programs.Crier(folder / "crier", setting.crier)
    crier.follow(programs.feed_urls(server, count))
    crier.authorize()
    setting.meter.run(crier.command(), crier.environment)
    assert crier.count("source") == count
    begin, resident, anonymous, end = agents.start(crier, folder, setting.runs)
    switches, idle_cpu = agents.idle(crier, folder, seconds)
    work = agents.busy(crier, folder, server, count, seconds)
    server.stop()
    documents.remove()
    result = Result(f"the agent with {count} sources of an hour", False)
    hour = 3600 / work.lasted
    result.verdicts += [
        ("cpu: start with nothing due", f"{begin * 1000:.0f} ms", "≤ 100 ms"),
        ("resident memory after the start", f"{resident / 1e6:.1f} MB", "≤ 40 MB"),
        ("anonymous memory after the start", f"{anonymous / 1e6:.1f} MB", "≤ 10 MB"),
        (f"cpu: {seconds} s with nothing due", f"{idle_cpu * 1000:.1f} ms", "0 ms"),
        (f"context switches in {seconds} s with nothing due, {work.threads} threads", f"{switches}", "0"),
        (f"visits in {work.lasted:.0f} s of a usual hour", f"{work.visits}", ""),
        ("wake-ups of such an hour", f"{work.wakes * hour:.0f}", f"≤ {work.visits * hour:.0f}"),
        ("cpu of a day of such hours", f"{work.cpu * hour * 24:.1f} s", ""),
        ("cpu of a visit, with its part of the wake-up", f"{work.cpu / work.visits * 1000:.2f} ms", ""),
        ("resident memory after it", f"{work.resident / 1e6:.1f} MB", "≤ 40 MB"),
        ("anonymous memory after it", f"{work.anonymous / 1e6:.1f} MB", "≤ 10 MB"),
        ("wall: end after SIGTERM", f"{end * 1000:.0f} ms", "≤ 2000 ms"),
    ]
    return result


ALL = {
    "unchanged": unchanged, "changed": changed, "first": first, "one": one, "parse": parse, "growth": growth, "tls": tls, "scale": scale,
    "agent": agent, "rivals": rivals,
}
