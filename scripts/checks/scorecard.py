"""Fails on a test that README's score card or a finding of fuzzing names and that does not exist, and on a row without one."""
import glob
import re
import sys

SUITE = re.compile(r"^(?:@Suite.*\s)?(?:private )?(?:struct|final class|class|actor) (\w+)", re.M)
TEST = re.compile(r"@Test\b(?:(?!\bfunc\b|@Test\b).)*\bfunc (\w+)", re.S)

tests = set()
for path in glob.glob("Tests/**/*.swift", recursive=True):
    suite = None
    text = open(path, encoding="utf-8").read()
    found = [(match.start(), match[1], None) for match in SUITE.finditer(text)]
    found += [(match.end(), None, match[1]) for match in TEST.finditer(text)]
    for _, name, test in sorted(found, key=lambda entry: entry[0]):
        if test is None:
            suite = name
        else:
            tests.add(f"{suite}.{test}")

suites = {test.split(".")[0] for test in tests}


def rows(path, heading):
    """The first cell of each row of the table under that heading, and the names in its last one."""
    section = re.search(rf"^## {heading}\n(.*?)^## ", open(path, encoding="utf-8").read(), re.M | re.S)
    lines = [line for line in section[1].split("\n") if re.match(r"\| (?!.*\| test \|$)", line)] if section else []
    cells = [line.strip(" |").split("|") for line in lines]
    return [(cell[0].strip(), re.findall(r"`([^`]*)`", cell[-1])) for cell in cells]


bad = 0
for path, heading, known, least in [
    ("README.md", "Manners", tests, 40), ("Tests/Fuzz/README.md", "Findings", tests | suites, 1),
]:
    found = rows(path, heading)
    for subject, named in found:
        for test in named or ["no test"]:
            if test not in known:
                print(f"{path}: {subject}: {test} does not exist")
                bad += 1
    if len(found) < least:
        print(f"{path}: {heading} has {len(found)} rows only")
        bad += 1
sys.exit(1 if bad else 0)
