# SPDX-License-Identifier: MIT
"""markup.py PAGE: what is wrong in the markup and the script of a page of
ptrace-report: tags that do not match, names that are not there, and what a page
from a file may not use.  A line each; nothing if it is well."""
import re
import sys
from html.parser import HTMLParser

EMPTY = {"meta", "input", "br", "link"}
# Elements that may not be inside a paragraph, which they would end.
BLOCKS = {"p", "div", "dl", "table", "section", "nav", "main", "aside", "header"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.wrong, self.ids, self.used = [], [], set(), []
        self.texts = {"script": [], "style": []}

    def say(self, what):
        self.wrong.append("line %d: %s" % (self.getpos()[0], what))

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        if len(set(names)) != len(names):
            self.say("<%s> has an attribute twice" % tag)
        for name, value in attrs:
            if name == "id" and value in self.ids:
                self.say("two elements are called " + value)
            if name.startswith("on") or name == "style":
                self.say("the policy forbids " + name)
        self.ids |= {value for name, value in attrs if name == "id"}
        if tag in BLOCKS and "p" in self.open:
            self.say("<%s> in a paragraph" % tag)
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.say("</%s> in %s" % (tag, self.open))
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] in self.texts:
            self.texts[self.open[-1]].append(data)
        elif "html" not in self.open and data.strip():
            self.say("text behind the page")


def check_script(page, script):
    for name in re.findall(r"(?:getElementById\(|\$\()'([\w-]+)'\)", script):
        if name not in page.ids:
            page.wrong.append("no element is called " + name)
    for word in ("fetch(", "XMLHttpRequest", "import(", "importScripts",
                 "innerHTML", "outerHTML", "insertAdjacentHTML",
                 "document.write", "eval(", "new Function", "localStorage",
                 "new Worker", "setAttribute('style'"):
        if word in script:
            page.wrong.append("the script uses " + word)
    # A wheel listener is passive unless it says that it is not.
    for at in re.finditer(r"'(wheel|touchmove|touchstart)'", script):
        if "passive: false" not in script[at.end():at.end() + 160]:
            page.wrong.append("a passive listener of " + at.group(1))
    if not script.startswith("'use strict';"):
        page.wrong.append("the script is not strict")


def check_style(page, style, script):
    if style.count("{") != style.count("}"):
        page.wrong.append("braces of the style")
    defined = set(re.findall(r"(--[\w-]+):", style))
    for name in re.findall(r"var\((--[\w-]+)\)", style):
        if name not in defined:
            page.wrong.append("no colour is called " + name)
    schemes = [set(re.findall(r"(--[\w-]+):", block))
               for block in re.findall(r":root[^{]*\{([^}]*)\}", style)]
    if len(schemes) != 4 or any(each != schemes[0] for each in schemes):
        page.wrong.append("schemes have not the same colours")
    for name in re.findall(r"theme\.(\w+)", script):
        if "--" + name not in defined:
            page.wrong.append("the script asks for the colour " + name)


def main():
    page = Page()
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    page.feed(text)
    page.close()
    if page.open:
        page.wrong.append("open at the end: %s" % page.open)
    if "charset" not in text[:1024]:
        page.wrong.append("the encoding is said too late")
    scripts = [each for each in page.texts["script"] if "'use strict'" in each]
    if len(scripts) != 1:
        page.wrong.append("%d scripts" % len(scripts))
    script = "".join(scripts)
    check_script(page, script)
    check_style(page, "".join(page.texts["style"]), script)
    print("\n".join(page.wrong), end="")


main()
