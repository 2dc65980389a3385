"""usage: with_reader.py URLS STATE"""

import sys
from pathlib import Path

from reader import make_reader

with make_reader(sys.argv[2]) as reader:
    for url in Path(sys.argv[1]).read_text().split():
        reader.add_feed(url, exist_ok=True)
    # By default each feed is asked once an hour at most.
    for result in reader.update_feeds_iter(scheduled=False, workers=8):
        if isinstance(result.value, Exception):
            sys.exit(f"{result.url}: {result.value}")
