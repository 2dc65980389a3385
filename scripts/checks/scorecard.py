"""Fails on a test that README's score card names and that does not exist, and on a rule without a test."""
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

card = re.search(r"^## Manners\n(.*?)^## ", open("README.md", encoding="utf-8").read(), re.M | re.S)
rows = [line for line in card[1].split("\n") if re.match(r"\| (?!.*\| test \|$)", line)] if card else []
bad = 0
for row in rows:
    named = re.findall(r"`([^`]*)`", row.rstrip(" |").rsplit("|", 1)[1])
    for test in named or ["no test"]:
        if test not in tests:
            print(f"README.md: {row.split('|')[1].strip()}: {test} does not exist")
            bad += 1
if len(rows) < 40:
    print(f"README.md: the score card has {len(rows)} rows only")
    bad += 1
sys.exit(1 if bad else 0)
