"""Documents to poll: a third RSS, a third Atom, a third JSON of a content API; the same for the same number."""

import gzip
import json
import os
import random
import shutil
from datetime import datetime, timedelta, timezone
from pathlib import Path

ITEMS = 50
WORDS = """release notes about a small library that reads what others write and says briefly which parts of it are new since
the last visit of the morning while machines wait for an answer over slow wires and people sleep &amp; dream in café or
garden 干货 更新 今天 内容 with numbers like 42 and names such as Ada Grace Linus in them""".split()
SUFFIX = {"rss": ".xml", "atom": ".atom", "gank": ".json"}


def kind(number):
    return ("rss", "atom", "gank")[number % 3]


def name(number):
    return f"s{number}{SUFFIX[kind(number)]}"


class Origin:
    """The documents of one scenario in a folder, each beside its gzip twin."""

    def __init__(self, folder, count):
        self.folder = Path(folder)
        self.count = count
        self.folder.mkdir(parents=True, exist_ok=True)
        for number in range(count):
            self.write(number)

    def write(self, number, extra=0):
        """Writes a document; `extra` items are in front of its usual ones."""
        body = document(number, extra).encode()
        path = self.folder / name(number)
        stamp = 1_750_000_000 + number + extra
        for target, content in ((path, body), (Path(f"{path}.gz"), gzip.compress(body, 6, mtime=0))):
            temporary = target.with_suffix(".new")
            temporary.write_bytes(content)
            os.utime(temporary, (stamp, stamp))
            temporary.rename(target)

    def change(self, share, extra):
        """Puts new items into every n-th document; gives how many documents that are."""
        step = round(1 / share)
        for number in range(0, self.count, step):
            self.write(number, extra)
        return len(range(0, self.count, step))

    def remove(self):
        shutil.rmtree(self.folder)


def document(number, extra):
    """20 to 60 KB."""
    choice = random.Random(number)
    length = choice.randint(250, 900)
    numbers = range(ITEMS + extra - 1, -1, -1)
    items = [item(number, index, length) for index in numbers]
    return {"rss": rss, "atom": atom, "gank": gank}[kind(number)](number, items)


def item(number, index, length):
    choice = random.Random(number * 1000 + index)
    text = []
    left = length
    while left > 0:
        word = choice.choice(WORDS)
        text.append(word)
        left -= len(word.encode()) + 1
    date = datetime(2025, 6, 1, tzinfo=timezone.utc) + timedelta(minutes=37 * index)
    return {
        "id": f"{number:06x}{index:018x}", "title": " ".join(text[:7]), "text": " ".join(text), "date": date,
        "url": f"https://example.org/{number}/{index}", "who": choice.choice(["Ada", "Grace", "Linus"]),
    }


def rss(number, items):
    entries = "\n".join(
        f"<item><title>{i['title']}</title><link>{i['url']}</link><guid isPermaLink=\"false\">{i['id']}</guid>"
        f"<pubDate>{i['date']:%a, %d %b %Y %H:%M:%S} GMT</pubDate>"
        f"<description>&lt;p&gt;{i['text']}&lt;/p&gt;</description></item>" for i in items)
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>Feed {number}</title>'
            f"<link>https://example.org/{number}</link><description>Feed {number}</description>\n{entries}\n"
            "</channel></rss>\n")


def atom(number, items):
    entries = "\n".join(
        f"<entry><title>{i['title']}</title><link href=\"{i['url']}\"/><id>urn:item:{i['id']}</id>"
        f"<published>{i['date']:%Y-%m-%dT%H:%M:%SZ}</published><updated>{i['date']:%Y-%m-%dT%H:%M:%SZ}</updated>"
        f"<author><name>{i['who']}</name></author><summary type=\"html\">&lt;p&gt;{i['text']}&lt;/p&gt;</summary></entry>"
        for i in items)
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
            f"<title>Feed {number}</title><id>urn:feed:{number}</id><updated>2025-06-01T00:00:00Z</updated>\n"
            f"{entries}\n</feed>\n")


def gank(number, items):
    rows = [
        {"_id": i["id"], "createdAt": f"{i['date']:%Y-%m-%dT%H:%M:%S}.254Z", "desc": i["text"],
         "publishedAt": f"{i['date']:%Y-%m-%dT%H:%M:%S}.581Z", "source": "web", "type": "Android", "url": i["url"],
         "used": True, "who": i["who"]} for i in items]
    results = {"Android": rows[0::2], "iOS": rows[1::2]}
    return json.dumps({"category": list(results), "error": False, "results": results}, ensure_ascii=False)


def json_feed(number, items=None):
    """The items of a document as JSON Feed, for reading without a mapping."""
    choice = random.Random(number)
    length = choice.randint(250, 900)
    items = [
        {"id": i["id"], "url": i["url"], "title": i["title"], "content_html": f"<p>{i['text']}</p>",
         "date_published": f"{i['date']:%Y-%m-%dT%H:%M:%SZ}", "authors": [{"name": i["who"]}]}
        for i in items or (item(number, index, length) for index in range(ITEMS))]
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": f"Feed {number}", "items": items}
    return json.dumps(feed, ensure_ascii=False)


def page(number, items):
    rows = "\n".join(
        f"<li id=\"{i['id']}\"><h2><a href=\"{i['url']}\">{i['title']}</a></h2><i>{i['who']}</i>"
        f"<time datetime=\"{i['date']:%Y-%m-%dT%H:%M:%SZ}\"></time><p>{i['text']}</p></li>" for i in items)
    return f"<!DOCTYPE html><title>Feed {number}</title><body><ul>\n{rows}\n</ul></body>\n"
