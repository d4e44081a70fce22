#!/usr/bin/env python3
"""page.py FILE [WORD...]: the page is well formed, needs nothing from elsewhere, has
no script, and its text holds each WORD."""
import html.parser
import sys

VOID = {"meta", "link", "br", "hr", "img", "input"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.text, self.problems = [], [], [], "", []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if tag in ("script", "iframe", "object", "embed", "img", "link"):
            self.problems.append(f"<{tag}> in a page that needs nothing else")
        if any(name.startswith("on") for name in values):
            self.problems.append(f"a handler in <{tag}>")
        if "src" in values:
            self.problems.append(f"<{tag} src={values['src']}>")
        if "id" in values:
            self.ids.append(values["id"])
        if "href" in values:
            self.links.append(values["href"])

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes something else")

    def handle_data(self, data):
        self.text += data


source = open(sys.argv[1], encoding="utf-8").read()
page = Page()
page.feed(source)
page.close()
problems = page.problems
if page.open:
    problems.append(f"not closed: {page.open}")
if len(set(page.ids)) != len(page.ids):
    problems.append("an id twice")
for link in page.links:
    if not link.startswith("#") or link[1:] not in page.ids:
        problems.append(f"a link to {link}")
if "url(" in source or "@import" in source:
    problems.append("the style needs another file")
for word in sys.argv[2:]:
    if word not in page.text:
        problems.append(f"'{word}' is nowhere")
for problem in problems:
    print(f"{sys.argv[1]}: {problem}", file=sys.stderr)
sys.exit(1 if problems else 0)
