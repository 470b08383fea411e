"""Writes names.json: field names and the row type's JSON Schema text as Python renders it."""

import json
import pathlib
import random


def render(name):
    schema = {
        "type": "object",
        "properties": {name: {"type": "string"}},
        "required": [name],
        "additionalProperties": False,
    }
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


def names():
    yield from ["", "name", "count", "f0", " ", "a b", '"', "\\", "/", "\\u0000", "'", "<a>&</a>", "$ref", "été", "日本語", "🕵️"]
    yield from (chr(code) for code in range(0x00, 0x21))
    yield from map(chr, [0x7F, 0x80, 0x9F, 0xA0, 0xAD, 0x2028, 0x2029, 0xFEFF, 0xFFFD, 0xFFFF, 0x10000, 0x1F575, 0x20BB7, 0x10FFFF])
    pick = random.Random(1270)
    alphabet = "ab\"\\/\b\f\n\r\t\x00\x1f\x7f\u2028é日\U0001F575\U00020BB7"
    for _ in range(160):
        yield "".join(pick.choice(alphabet) for _ in range(pick.randint(1, 24)))


cases = [{"name": name, "schema": render(name)} for name in dict.fromkeys(names())]
lines = ",\n".join(json.dumps(case) for case in cases)
pathlib.Path(__file__).with_name("names.json").write_text(f"[\n{lines}\n]\n", encoding="ascii")
