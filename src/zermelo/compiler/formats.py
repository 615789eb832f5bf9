"""Formats of numbers and texts: f-strings, `str.format` and `%`, whose format is known while compiling."""

import re
import string
from typing import Any

from zermelo.compiler.calls import Calls
from zermelo.compiler.types import BOOL, FLOAT
from zermelo.compiler.values import Choice, Const, Rec, Scalar

__all__ = ["Formats"]

SPEC = re.compile(r"(?:(?P<fill>.)?(?P<align>[<>=^]))?(?P<sign>[+ -]?)(?P<zero>0?)(?P<width>\d*)(?P<kind>[dsxXobc]?)")
PERCENT = re.compile(r"%(?:%|(?P<flags>[-+ 0]*)(?P<width>\d*)(?P<kind>[sdirxXoc]))")
BASES = {"x": 16, "X": 16, "o": 8, "b": 2}


class Formats(Calls):
    """Values as texts in a given form."""

    def formatted(self, value: Any, spec: str) -> Any:
        """format(value, spec)"""
        done = self.lift(lambda item: format(item, spec), value)
        if done is not None:
            return done
        if not spec:
            return self.text(value)
        found = SPEC.fullmatch(spec)
        if found is None:
            return self.fail(f"the format {spec!r}")
        fill, align, sign, zero, width, kind = (found[name] or "" for name in ("fill", "align", "sign", "zero", "width", "kind"))
        texts = self.is_sequence(value)
        if not texts and (not self.is_number(value) or self.scalar(value).type in (FLOAT, BOOL) or kind == "s"):
            return self.fail(f"the format {spec!r} of {self.describe(value)}")
        if texts and (kind not in ("", "s") or self.kind_of(value) != "str" or sign or align == "="):
            return self.fail(f"the format {spec!r} of {self.describe(value)}")
        if zero and not align:
            fill, align = "0", "<" if texts else "="
        made = value if texts else self.digits(value, kind, sign)
        if not width:
            return made
        how = {"<": "pad_right", "^": "padded_center", "=": "pad_after_sign"}.get(align or ("<" if texts else ">"), "pad_left")
        return self.library(how, [made, Const(int(width)), Const(fill or " ")])

    def digits(self, value: Any, kind: str, sign: str) -> Any:
        if kind == "c":
            return self.call(Const(chr), [value], {})
        text = self.library("text_in_base", [value, Const(BASES[kind])]) if kind in BASES else self.text(value)
        if kind == "X":
            text = self.library("upper", [text])
        return self.library("signed", [text, Const(sign)]) if sign in ("+", " ") else text

    def glued(self, pieces: list[Any]) -> Any:
        """Texts one behind the other."""
        result: Any = Const("")
        for piece in pieces:
            done = self.lift(lambda a, b: a + b, result, piece)
            result = done if done is not None else self.concat(result, piece)
        return result

    def percent(self, form: str, value: Any) -> Any:
        """form % value"""
        count = sum(1 for found in PERCENT.finditer(form) if found["kind"])
        if "%" in PERCENT.sub("", form):
            return self.fail(f"the format {form!r}")
        several = (isinstance(value, Rec) and value.made_by is None) or (self.is_sequence(value) and self.kind_of(value) == "tuple")
        values = iter(self.unpack(value, count) if several else [value])
        pieces, at = [], 0
        for found in PERCENT.finditer(form):
            pieces.append(Const(form[at : found.start()]))
            at = found.end()
            pieces.append(self.percent_piece(found, next(values)) if found["kind"] else Const("%"))
        return self.glued([*pieces, Const(form[at:])])

    def percent_piece(self, found: re.Match[str], value: Any) -> Any:
        flags, width, kind = found["flags"], found["width"], found["kind"]
        done = self.lift(lambda item: found[0] % (item,), value)
        if done is not None:
            return done
        if kind == "r" and self.is_sequence(value):
            return self.fail(f"the format {found[0]!r}")
        if kind in "sr":
            return self.formatted(self.text(value), (("<" if "-" in flags else ">") + width) if width else "")
        if isinstance(value, Scalar) and value.type == FLOAT:
            return self.fail(f"the format {found[0]!r} of a float")
        sign = "+" if "+" in flags else " " if " " in flags else ""
        align = "<" if "-" in flags else "" if "0" in flags else ">"
        zero = "0" if "0" in flags and "-" not in flags else ""
        return self.formatted(self.call(Const(int), [value], {}), f"{align}{sign}{zero}{width}{'d' if kind == 'i' else kind}")

    def format_method(self, form: str, values: list[Any], named: dict[str, Any]) -> Any:
        """form.format(*values, **named)"""
        pieces: list[Any] = []
        for number, (text, name, spec, conversion) in enumerate(string.Formatter().parse(form)):
            pieces.append(Const(text))
            if name is None:
                continue
            if not (name.isalnum() or name == "") or "{" in (spec or "") or conversion not in (None, "s"):
                return self.fail(f"the format {form!r}")
            key = number if name == "" else int(name) if name.isdigit() else name
            if (isinstance(key, int) and key >= len(values)) or (isinstance(key, str) and key not in named):
                return self.fail(f"the format {form!r} without its values")
            value = self.settle(values[key] if isinstance(key, int) else named[key])
            pieces.append(self.formatted(self.text(value) if conversion else value, spec or ""))
        return self.glued(pieces)

    def known_text(self, value: Any) -> str | None:
        """A text that is known while compiling."""
        return value.item if isinstance(value, Const) and isinstance(value.item, str) else None

    def repr_text(self, value: Any) -> Any:
        """repr(value)"""
        done = self.lift(repr, value)
        if done is not None:
            return done
        if isinstance(value, Choice) or self.is_sequence(value):
            return self.fail(f"repr() of {self.describe(value)}")
        return self.text(value)
