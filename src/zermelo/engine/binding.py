"""Binding one function of the rules: names become values, methods become calls of generated functions.

    self.width            →  7
    self.result(s, a)     →  ConnectFour__result(s, a)
    super().result(s, a)  →  Parent__result(s, a)
    LINES[i], popcount(x) →  a constant or function of the generated module

The result imports nothing of the user's. Every value that is bound is remembered in the program, which can tell later whether the rules
have changed.
"""

import ast
import builtins
import copy
import inspect
import types
from typing import TYPE_CHECKING, Any, NoReturn

from zermelo.engine.folding import Known, Statements, call, constant_value, is_known, known, located
from zermelo.engine.idioms import REDUCTIONS, Idioms, iterates, stores
from zermelo.engine.layout import annotated_bits, field_names, is_record
from zermelo.engine.source import plain_function
from zermelo.errors import RulesError

if TYPE_CHECKING:
    from zermelo.engine.program import Program

__all__ = ["Binder"]

GENERATORS = {"actions": "as_int", "candidates": "as_int", "chances": "as_chance"}  # rules that kernels iterate over, and what they yield
NUMERIC_MODULES = ("math", "numpy")
MUTABLE = (dict, list, set, bytearray)
TABLE = 32  # the longest constant tuple that stays one where it is indexed


class Binder(Idioms):
    """Binds one function.

    `owner` is the class that defines it, None for a function outside of the game; `role` is the rule that it implements where it is
    one of those that kernels iterate over.
    """

    def __init__(self, program: "Program", function: types.FunctionType, owner: type | None, definition: ast.FunctionDef) -> None:
        self.program, self.function, self.owner, self.definition = program, function, owner, definition
        self.file = function.__code__.co_filename
        self.role = function.__name__ if owner is not None and function.__name__ in GENERATORS else None
        parameters = definition.args.posonlyargs + definition.args.args
        static = owner is not None and isinstance(inspect.getattr_static(owner, function.__name__, None), staticmethod)
        self.self_name = parameters[0].arg if owner is not None and parameters and not static else None
        self.local = stores(definition) - {self.self_name or ""}
        self.replaced: dict[str, ast.expr] = {}

    def error(self, node: ast.AST, reason: str) -> RulesError:
        return RulesError(reason, self.file, getattr(node, "lineno", self.definition.lineno))

    def fresh(self, name: str) -> str:
        return self.program.fresh(name)

    def emit(self, definition: ast.FunctionDef) -> None:
        self.program.emit(definition, self.file)

    def library(self, name: str) -> str:
        return self.program.library(name)

    def bind(self) -> Statements:
        """The function's body, bound."""
        if self.role and not iterates(self.definition):
            self.definition.body = Returns(self).visit_block(self.definition.body)
        return self.visit_block(self.definition.body) or [ast.copy_location(ast.Pass(), self.definition)]

    # --- names

    def resolve(self, node: ast.Name) -> Any:
        """The object that a name means outside of the function."""
        cells = dict(zip(self.function.__code__.co_freevars, self.function.__closure__ or (), strict=True))
        if node.id in cells:
            self.program.remember_cell(cells[node.id])
            return cells[node.id].cell_contents
        for namespace in (self.function.__globals__, vars(builtins)):
            if node.id in namespace:
                self.program.remember(namespace, node.id)
                return namespace[node.id]
        raise self.error(node, f"the name {node.id!r} is not defined")

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.replaced and isinstance(node.ctx, ast.Load):
            expression = self.replaced[node.id]
            if is_known(expression):
                return known(constant_value(expression), node)
            bound: ast.expr = self.visit(copy_of(expression, node))
            return bound
        if not isinstance(node.ctx, ast.Load) or node.id in self.local:
            return node
        if node.id == self.self_name:
            raise self.error(node, f"`{node.id}` may only be used as `{node.id}.name`")
        return self.mention(self.resolve(node), node.id, node)

    def mention(self, value: Any, name: str, node: ast.expr) -> ast.expr:
        """What to write where the rules mention this object."""
        if is_record(value):
            return located(ast.Name(self.program.records.name(value), ast.Load()), node)
        builtin = getattr(value, "__name__", "")
        if value is not None and getattr(builtins, builtin, None) is value:
            return located(ast.Name(builtin, ast.Load()), node)
        if isinstance(value, MUTABLE):
            raise self.error(node, f"{name!r} is a {type(value).__name__}: rules may use numbers, tuples, named tuples and functions")
        function = plain_function(value)
        if isinstance(function, types.FunctionType):
            return located(ast.Name(self.program.function(function, None), ast.Load()), node)
        if getattr(value, "__module__", None) == "math":
            return located(ast.Attribute(ast.Name("math", ast.Load()), value.__name__, ast.Load()), node)
        if callable(value) and not isinstance(value, type):
            raise self.error(node, f"{name!r} is not a function written in Python, so compiled rules cannot call it")
        return known(value, node, name)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id == self.self_name:
            return self.member(node)
        node.value = self.visit(node.value)
        if isinstance(node.value, Known):
            return self.attribute_of(node.value.value, node)
        accessor = self.program.records.member(node.attr, property)
        if accessor is not None:  # state.both, a property of a named tuple
            return call(accessor, [node.value], node)
        return node

    def attribute_of(self, base: Any, node: ast.Attribute) -> ast.expr:
        """An attribute of a module, a class or a value that is known."""
        if isinstance(base, types.ModuleType) and base.__name__ in NUMERIC_MODULES:
            value = getattr(base, node.attr, None)
            if isinstance(value, float):
                return known(value, node)
            return located(ast.Attribute(ast.Name(base.__name__, ast.Load()), node.attr, ast.Load()), node)
        if not hasattr(base, node.attr):
            raise self.error(node, f"{getattr(base, '__name__', type(base).__name__)} has no {node.attr!r}")
        if isinstance(base, type):
            function = plain_function(inspect.getattr_static(base, node.attr))
            if isinstance(function, types.FunctionType):
                return located(ast.Name(self.program.function(function, base), ast.Load()), node)
        if isinstance(base, tuple) and node.attr in ("index", "count"):
            return node
        self.program.remember_attribute(base, node.attr)
        return self.mention(getattr(base, node.attr), node.attr, node)

    def member(self, node: ast.Attribute) -> ast.expr:
        """self.name: the generated name of a method, or a value."""
        game, name = self.program.game, node.attr
        if name.startswith("__") and not name.endswith("__") and self.owner is not None:
            name = f"_{self.owner.__name__.lstrip('_')}{name}"  # private to its class
        static = inspect.getattr_static(type(game), name, None)
        if isinstance(plain_function(static), types.FunctionType):
            return located(ast.Name(self.program.method(name), ast.Load()), node)
        try:
            value = getattr(game, name)
        except Exception as error:
            raise self.error(node, f"{type(game).__name__}.{name} cannot be read ({type(error).__name__}: {error})") from error
        self.program.remember_attribute(game, name)
        return self.mention(value, name, node)

    # --- calls

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(ast.Attribute(ast.Call(ast.Name("super")), name)):
                node.func = located(ast.Name(self.parent_method(node, name), ast.Load()), node.func)
                return self.arguments(node)
            case ast.Call(ast.Attribute(value, "bit_count" | "bit_length" as name), []):
                function = self.library("popcount" if name == "bit_count" else "bit_length")
                return call(function, [self.visit(value)], node)
            case ast.Call(ast.Attribute(value, "_replace")):
                return self.update(node, value)
            case ast.Call(ast.Name(name), [ast.GeneratorExp() | ast.ListComp() as comprehension], []) if name not in self.local:
                if name in REDUCTIONS:
                    return self.reduction(node, name, comprehension)
                if name == "tuple":
                    return self.tuple_of(node, comprehension)
            case ast.Call(ast.Attribute(value, name), [ast.Name(first), *rest]) if first == self.self_name and self.self_name:
                node.func, node.args = self.visit(node.func), rest  # Parent.method(self, …)
                return self.arguments(node)
            case ast.Call(ast.Attribute(value, name)) if not (isinstance(value, ast.Name) and value.id == self.self_name):
                method = self.program.records.member(name, types.FunctionType)
                if method is not None:  # state.free(cell), a method of a named tuple
                    node.func, node.args = located(ast.Name(method, ast.Load()), node.func), [value, *node.args]
                    return self.arguments(node)
        node.func = self.visit(node.func)
        return self.arguments(node)

    def parent_method(self, node: ast.Call, name: str) -> str:
        """The generated name of what super().name means here."""
        order = type(self.program.game).__mro__
        if self.owner not in order:
            raise self.error(node, "super() outside of the game's own methods")
        for parent in order[order.index(self.owner) + 1 :]:
            if name in parent.__dict__:
                self.program.remember(parent.__dict__, name)
                return self.program.function(plain_function(parent.__dict__[name]), parent)
        raise self.error(node, f"no parent of {self.owner.__name__} has {name!r}")

    def arguments(self, node: ast.Call) -> ast.expr:
        """A call whose function is bound: bind its arguments."""
        node.args = [self.visit(argument) for argument in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        if isinstance(node.func, ast.Name):
            record = self.program.records.known.get(node.func.id)
            if record is not None:
                return self.program.records.construct(record, node, self)
            if node.func.id == "range":
                node.args = [self.index(argument) for argument in node.args]
        result = self.fold(node)
        match result:
            case ast.Call(ast.Name("float"), [argument], []):  # Numba's own takes neither a bool nor a word
                return call(self.library("as_float"), [argument], node)
            case ast.Call(ast.Name("min" | "max" as name), [first, *others], []) if others and self.program.state.widest:
                for other in others:  # of words, which Numba's own do not know
                    first = call(self.library(f"{name}_of"), [first, other], node)
                return first
        return result

    def update(self, node: ast.Call, value: ast.expr) -> ast.expr:
        """state._replace(field=…)"""
        fields = [keyword.arg for keyword in node.keywords]
        if node.args or None in fields:
            raise self.error(node, "_replace(…) needs the names of the fields")
        fits = [record for record in self.program.records.known.values() if set(fields) <= set(field_names(record))]
        if len(fits) != 1:
            raise self.error(node, f"_replace: {'no named tuple has' if not fits else 'more than one named tuple has'} these fields")
        name = self.program.records.replacer(fits[0], tuple(map(str, fields)))
        return call(name, [self.visit(value), *(self.visit(keyword.value) for keyword in node.keywords)], node)

    # --- operators and subscripts

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        spliced = self.spliced(node)
        if spliced is not None:
            return spliced
        self.generic_visit(node)
        result = self.fold(node)
        if isinstance(result, ast.BinOp) and isinstance(result.op, ast.LShift) and is_known(result.left):
            result.left = self.as_board(result.left)
        return result

    def as_board(self, node: ast.expr) -> ast.expr:
        """`1 << cell` is a board where the game's states hold unsigned words: as wide as the widest."""
        if not self.program.state.widest or type(constant_value(node)) is not int:
            return node
        return call(self.library(f"as_u{self.program.state.widest}"), [node], node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        result = self.fold(node)
        if not isinstance(result, ast.Subscript) or isinstance(result.slice, ast.Slice) or not isinstance(result.ctx, ast.Load):
            return result
        return self.lookup(result)

    def lookup(self, node: ast.Subscript) -> ast.expr:
        """An item at an index that is not known. A long constant tuple becomes an array: Numba's compile time grows with its length."""
        table, index = node.value, self.index(node.slice)
        if isinstance(table, ast.Subscript) and isinstance(table.value, Known) and is_array(table.value.value, dimensions=2):
            index = located(ast.Tuple([table.slice, index], ast.Load()), node)  # table[i][j] → table[i, j]
            table = table.value
        elif isinstance(table, Known) and isinstance(table.value, tuple):
            table = self.table(table)
        node.value, node.slice = table, index
        dimensions = 2 if isinstance(index, ast.Tuple) else 1
        if isinstance(table, Known) and is_array(table.value, dimensions) and table.value.dtype.kind == "u":
            return call(self.library("as_u64"), [node], node)
        return node

    def index(self, node: ast.expr) -> ast.expr:
        """An index or the bound of a range may be a word: as int64."""
        if is_known(node) or isinstance(node, ast.Slice | ast.Tuple | ast.Starred) or not self.program.state.widest:
            return node
        return call(self.library("as_int"), [node], node)

    def table(self, node: Known) -> Known:
        """A long tuple of ints or of floats, or of rows of equal length, as an array."""
        values: tuple[Any, ...] = node.value
        rows = bool(values) and all(type(row) is tuple and len(row) == len(values[0]) for row in values)
        items = [item for row in values for item in row] if rows else list(values)
        kinds = {type(item) for item in items}
        if len(items) <= TABLE or kinds not in ({int}, {float}):
            return node
        import numpy as np

        if kinds == {float}:
            return known(np.array(values, dtype=np.float64), node, node.kind)
        low, high = min(items), max(items)
        if high >= 1 << 64 or low < -1 << 63 or (high >= 1 << 63 and low < 0):
            return node
        return known(np.array(values, dtype=np.uint64 if high >= 1 << 63 else np.int64), node, node.kind)

    def tuple_length(self, node: ast.expr) -> int | None:
        if not isinstance(node, ast.Attribute):
            return None
        return self.program.records.tuple_length(node.attr)

    # --- statements

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | None:
        """A local variable's annotation is dropped, except that `u64`, `u128`, `u256` and `Word` make it a word."""
        if node.value is None:
            return None
        value = self.visit(node.value)
        hint = self.resolve(node.annotation) if isinstance(node.annotation, ast.Name) else None
        bits = annotated_bits(hint, self.program.word)
        if bits:
            value = call(self.library(f"as_u{bits}"), [value], node.value)
        return located(ast.Assign([node.target], value), node)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        """A function inside a rule."""
        node.returns = None
        node.args = self.visit(node.args)
        node.body = self.visit_block(node.body)
        return node

    def visit_Assert(self, node: ast.Assert) -> None:
        """An assertion promises not to change anything."""

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        """The message stays behind; an exception of the user's own becomes a ValueError."""
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        name = raised.id if isinstance(raised, ast.Name) and hasattr(builtins, raised.id) else "ValueError"
        return located(ast.Raise(ast.Name(name, ast.Load()), None), node)

    def visit_Yield(self, node: ast.Yield) -> ast.expr:
        if node.value is not None:
            node.value = self.yielded(self.visit(node.value))
        return node

    def yielded(self, value: ast.expr) -> ast.expr:
        if self.role is None:
            return value
        return call(self.library(GENERATORS[self.role]), [value], value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> NoReturn:
        raise self.error(node, "rules cannot make text (an f-string)")

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> NoReturn:
        raise self.error(node, "a generator expression can only stand in any, all, sum, min, max or tuple, or be returned")


class Returns(ast.NodeTransformer):
    """Makes a generator of a rule that returns an iterable: `return xs` becomes a loop that yields, and a bare return."""

    def __init__(self, binder: Binder) -> None:
        self.binder = binder

    def visit_block(self, body: Statements) -> Statements:
        """The statements of the whole function."""
        done: Statements = []
        for statement in body:
            result = self.visit(statement)
            done += result if isinstance(result, list) else [result]
        if isinstance(done[-1], ast.Return):
            done.pop()
        return done

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return node  # its returns are its own

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        return node

    def visit_Return(self, node: ast.Return) -> Statements | ast.stmt:
        if node.value is None:
            raise self.binder.error(node, f"{self.binder.role} returns nothing here")
        stop = ast.copy_location(ast.Return(None), node)
        if isinstance(node.value, ast.GeneratorExp | ast.ListComp):
            return [*self.loops(node.value), stop]
        if isinstance(node.value, ast.IfExp):
            either = [ast.copy_location(ast.Return(value), value) for value in (node.value.body, node.value.orelse)]
            body, otherwise = (self.visit_block([each]) for each in either)
            return [ast.copy_location(ast.If(node.value.test, body, otherwise), node), stop]
        whole = ast.copy_location(ast.Expr(ast.copy_location(ast.YieldFrom(node.value), node)), node)
        return [whole, stop]

    def loops(self, comprehension: ast.GeneratorExp | ast.ListComp) -> Statements:
        """The comprehension as loops with `yield`."""
        body: Statements = [ast.Expr(ast.Yield(comprehension.elt))]
        for generator in reversed(comprehension.generators):
            for test in reversed(generator.ifs):
                body = [ast.If(test, body, [])]
            body = [ast.For(generator.target, generator.iter, body, [])]
        return [located(statement, comprehension) for statement in body]


def is_array(value: Any, dimensions: int) -> bool:
    """Is this a NumPy array with so many dimensions?"""
    return type(value).__module__ == "numpy" and getattr(value, "ndim", 0) == dimensions


def copy_of(expression: ast.expr, place: ast.AST) -> ast.expr:
    """A copy of an expression that stands for a name, in that name's place."""
    return ast.copy_location(copy.deepcopy(expression), place)
