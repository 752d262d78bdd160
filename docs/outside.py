"""For mdBook: takes the chapters that lie above docs/ into the site (README, SECURITY, ...).

All links lead where the files lie, as whoever reads the repository needs them. A page of the site
cannot lie above it, so such a chapter is moved, and every link is turned to where its target is on
the site. A link to a file that is no chapter keeps its words alone.
"""

import json
import posixpath as paths
import re
import sys

DOCS = "docs/"
FENCE = re.compile(r"^ {0,3}(```+|~~~+).*?^ {0,3}\1", re.S | re.M)
LINK = re.compile(r'(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)|((?:src|href)=")([^"]+)"')


def chapters(items):
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter:
            yield chapter
            yield from chapters(chapter["sub_items"])


def on_site(file):
    """Where a file of the repository is on the site; mdBook calls a README index."""
    file = file[len(DOCS):] if file.startswith(DOCS) else file
    return paths.join(paths.dirname(file), "index.md") if paths.basename(file) == "README.md" else file


def turned(content, file, pages):
    """The text of that file, its links as they are on the site."""
    here = paths.dirname(on_site(file))

    def target(link):
        if re.match(r"[a-z]+:|#", link):
            return link
        path, mark, anchor = link.partition("#")
        path = paths.normpath(paths.join(paths.dirname(file), path))
        if path not in pages and (path.endswith(".md") or not path.startswith(DOCS)):
            return None
        return paths.relpath(on_site(path), here or ".") + mark + anchor

    def link(found):
        picture, words, to, attribute, source = found.groups()
        if attribute:
            return f'{attribute}{target(source) or source}"'
        to = target(to)
        return f"{picture}[{words}]({to})" if to else words

    parts, at = [], 0
    for fence in FENCE.finditer(content):
        parts += [LINK.sub(link, content[at:fence.start()]), fence.group()]
        at = fence.end()
    return "".join(parts + [LINK.sub(link, content[at:])])


def main():
    _, book = json.load(sys.stdin)
    found = list(chapters(book["items"]))
    files = {id(it): paths.normpath(DOCS + it["source_path"]) for it in found if it["source_path"]}
    pages = set(files.values())
    for chapter in found:
        file = files.get(id(chapter))
        if file:
            chapter["content"] = turned(chapter["content"], file, pages)
            chapter["path"] = on_site(file)
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    # mdBook asks first whether its output is taken: that of every kind is.
    if sys.argv[1:2] != ["supports"]:
        main()
