"""Fails on a Swift file of more than 400 lines or a function of more than 60; there are no exceptions."""
import glob
import re
import sys

from swift_source import blanked

FILE_LIMIT, FUNCTION_LIMIT = 400, 60
START = re.compile(r"\b(?:func\s+[\w`+\-*/<>=!&|^~%]+|init[?!]?\s*[(<]|deinit\b|subscript\s*[(<]|(?:var|let)\s+\w+[^=]*\{\s*$)")


def functions(lines):
    """The first and last line of each function, by counting braces."""
    for first, line in enumerate(lines):
        if not START.search(line):
            continue
        depth, opened = 0, False
        for last in range(first, len(lines)):
            for character in lines[last]:
                if character == "{":
                    depth, opened = depth + 1, True
                elif character == "}":
                    depth -= 1
            if opened and depth <= 0:
                yield first + 1, last + 1
                break
            # A declaration without a body, as in a protocol.
            if not opened and last > first and (START.search(lines[last]) or lines[last].strip() == "}"):
                break


bad = 0
for path in sorted(glob.glob("Sources/**/*.swift", recursive=True) + glob.glob("Tests/**/*.swift", recursive=True)):
    text = open(path, encoding="utf-8").read()
    count = text.count("\n")
    if count > FILE_LIMIT:
        print(f"{path}: {count} lines, more than {FILE_LIMIT}")
        bad += 1
    for first, last in functions(blanked(text).split("\n")):
        if last - first + 1 > FUNCTION_LIMIT:
            print(f"{path}:{first}: a function of {last - first + 1} lines, more than {FUNCTION_LIMIT}")
            bad += 1
sys.exit(1 if bad else 0)
