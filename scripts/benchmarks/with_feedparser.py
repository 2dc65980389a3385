"""usage: with_feedparser.py URLS STATE: what a script of twenty lines does."""

import json
import sys
from pathlib import Path

import feedparser

state_file = Path(sys.argv[2])
state = json.loads(state_file.read_text()) if state_file.exists() else {}
for url in Path(sys.argv[1]).read_text().split():
    old = state.get(url, {"seen": []})
    feed = feedparser.parse(url, etag=old.get("etag"), modified=old.get("modified"))
    if feed.get("status") == 304:
        continue
    seen = set(old["seen"])
    for entry in feed.entries:
        if entry.id not in seen:
            print(entry.title)
    state[url] = {
        "etag": feed.get("etag"), "modified": feed.get("modified"),
        "seen": sorted(seen | {entry.id for entry in feed.entries})}
state_file.write_text(json.dumps(state))
