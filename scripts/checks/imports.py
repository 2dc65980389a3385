"""Fails on any import that the manifest does not declare. usage: swift package describe --type json | imports.py"""
import json
import os
import re
import sys

from swift_source import blanked

# What comes with the toolchain or the system.
PLATFORM = {
    "Swift", "Foundation", "FoundationEssentials", "Dispatch", "Glibc", "Darwin", "Musl", "Synchronization", "Testing",
}
IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public |package |internal |private |fileprivate )?"
    r"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)")

package = json.load(sys.stdin)
bad = 0
for target in package["targets"]:
    # C includes headers, which belong to no module.
    if target["type"] in ("system-target", "plugin") or target["module_type"] == "ClangTarget":
        continue
    declared = set(target.get("target_dependencies", []))
    declared |= set(target.get("product_dependencies", []))
    used = set()
    for source in target.get("sources", []):
        path = os.path.join(target["path"], source)
        if not path.endswith(".swift"):
            continue
        for number, line in enumerate(blanked(open(path, encoding="utf-8").read()).split("\n"), 1):
            match = IMPORT.match(line)
            if not match:
                continue
            used.add(match[1])
            if match[1] not in declared | PLATFORM:
                print(f"{path}:{number}: {target['name']} imports {match[1]}, which the manifest does not declare")
                bad += 1
    if target["type"] != "executable":
        for name in sorted(declared - used):
            print(f"Package.swift: {target['name']} declares {name} and never imports it")
            bad += 1
sys.exit(1 if bad else 0)
