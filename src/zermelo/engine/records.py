"""Named tuples in generated modules: a class of the same fields, its fields always of the declared types.

`Board(…)` becomes a call with every argument in its place, defaults filled in and every field cast; `state._replace(…)` a function of its
own; properties and methods that the user's class has beside its fields become plain functions.
"""

import ast
import types
from typing import TYPE_CHECKING, Any

from zermelo.engine.folding import call, known
from zermelo.engine.layout import NotNumericError, Shape, annotated_bits, field_defaults, field_names, record_hints
from zermelo.errors import RulesError

if TYPE_CHECKING:
    from zermelo.engine.binding import Binder
    from zermelo.engine.program import Program

__all__ = ["Records"]

NUMBERS = {int: Shape("int"), float: Shape("float"), bool: Shape("bool")}


class Records:
    """The named tuples that a program uses."""

    def __init__(self, program: "Program") -> None:
        self.program = program
        self.known: dict[str, type] = {}  # name in the generated module → the user's class
        self.replacers: dict[tuple[type, tuple[str, ...]], str] = {}
        self.shapes: dict[type, tuple[Shape | None, ...]] = {}

    def learn(self, shape: Shape) -> None:
        """Take the shapes of all named tuples inside a state: they know the lengths of tuples, which annotations do not."""
        for item in shape.items:
            self.learn(item)
        if shape.kind == "tuple" and shape.made_by is not None:
            self.shapes[shape.made_by] = shape.items
            self.name(shape.made_by)

    def name(self, record: type) -> str:
        """The name of the class in the generated module."""
        for name, each in self.known.items():
            if each is record:
                return name
        name = self.program.fresh(record.__name__)
        self.known[name] = record
        self.program.header.append(f"{name} = collections.namedtuple({name!r}, {list(field_names(record))!r})")
        return name

    def fields(self, record: type) -> tuple[Shape | None, ...]:
        """The shape of every field; None where neither the start state nor an annotation tells."""
        if record not in self.shapes:
            try:
                hints = record_hints(record)
            except NotNumericError as error:
                raise RulesError(f"{error}.") from None
            self.shapes[record] = tuple(self.annotated(hints.get(name)) for name in field_names(record))
        return self.shapes[record]

    def annotated(self, hint: Any) -> Shape | None:
        """The shape that an annotation tells."""
        bits = annotated_bits(hint, self.program.word)
        if bits:
            return Shape("word", bits)
        return NUMBERS.get(hint) if isinstance(hint, type) else None

    def tuple_length(self, field: str) -> int | None:
        """The length of the plain tuple in this field of a state; None where the field is none, or its name not unique."""
        lengths = set()
        for name, record in self.known.items():
            names = field_names(record)
            if field in names:
                shape = self.fields(self.known[name])[names.index(field)]
                lengths.add(len(shape.items) if shape is not None and shape.kind == "tuple" else None)
        return lengths.pop() if len(lengths) == 1 else None

    def member(self, name: str, kind: type) -> str | None:
        """The generated name of a property or method that one of the named tuples has beside its fields."""
        if name.startswith("_") or any(name in field_names(record) for record in self.known.values()):
            return None
        for record in list(self.known.values()):
            for base in record.__mro__:
                member = base.__dict__.get(name)
                if base.__module__ != "builtins" and isinstance(member, kind):
                    self.program.remember(base.__dict__, name)
                    function = member.fget if isinstance(member, property) else member
                    assert isinstance(function, types.FunctionType)
                    return self.program.function(function, base, bound=False)
        return None

    def construct(self, record: type, node: ast.Call, binder: "Binder") -> ast.expr:
        """Board(…) with every field in its place and of its type."""
        names, defaults = field_names(record), field_defaults(record)
        if any(isinstance(argument, ast.Starred) for argument in node.args) or any(keyword.arg is None for keyword in node.keywords):
            raise binder.error(node, f"{record.__name__}(…) cannot be called with * or **")
        if len(node.args) > len(names):
            raise binder.error(node, f"{record.__name__} has {len(names)} fields, not {len(node.args)}")
        given: dict[str | None, ast.expr] = dict(zip(names, node.args, strict=False))
        given |= {keyword.arg: keyword.value for keyword in node.keywords}
        arguments = []
        for name, shape in zip(names, self.fields(record), strict=True):
            if name not in given and name not in defaults:
                raise binder.error(node, f"{record.__name__}(…) lacks the field {name!r}")
            value = given[name] if name in given else known(defaults[name], node, name)
            arguments.append(self.program.cast(shape, value))
        assert isinstance(node.func, ast.Name)
        return call(node.func.id, arguments, node)

    def replacer(self, record: type, fields: tuple[str, ...]) -> str:
        """The generated name of a function that changes these fields."""
        key = record, fields
        if key not in self.replacers:
            name = self.replacers[key] = self.program.fresh(f"{record.__name__}__with_{'_'.join(fields)}")
            parts = [
                ast.unparse(self.program.cast(shape, ast.Name(field, ast.Load()))) if field in fields else f"state__.{field}"
                for field, shape in zip(field_names(record), self.fields(record), strict=True)
            ]
            text = f"def {name}(state__, {', '.join(fields)}):\n    return {self.name(record)}({', '.join(parts)})"
            self.program.add_function(text)
        return self.replacers[key]
