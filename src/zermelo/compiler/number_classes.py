"""Complex numbers and fractions: records of two numbers, whose operators are written in Python and compiled like rules."""

from fractions import Fraction
from typing import Any

from zermelo.compiler.library import greatest_common_divisor

__all__ = ["METHODS", "fraction", "hypotenuse", "in_lowest_terms", "method_of"]


def hypotenuse(x: float, y: float) -> float:
    """C's `hypot`."""
    raise NotImplementedError


def in_lowest_terms(numerator: int, denominator: int) -> Fraction:
    """The record itself."""
    raise NotImplementedError


class ComplexMethods:
    """Of `complex`, step by step as CPython does it."""

    real: float
    imag: float

    def __add__(self, other: Any) -> complex:
        that = complex(other)
        return complex(self.real + that.real, self.imag + that.imag)

    def __sub__(self, other: Any) -> complex:
        that = complex(other)
        return complex(self.real - that.real, self.imag - that.imag)

    def __mul__(self, other: Any) -> complex:
        that = complex(other)
        return complex(self.real * that.real - self.imag * that.imag, self.real * that.imag + self.imag * that.real)

    def __truediv__(self, other: Any) -> complex:
        """Smith (1962)."""
        that = complex(other)
        if abs(that.real) >= abs(that.imag):
            ratio = that.imag / that.real
            scale = that.real + that.imag * ratio
            return complex((self.real + self.imag * ratio) / scale, (self.imag - self.real * ratio) / scale)
        ratio = that.real / that.imag
        scale = that.real * ratio + that.imag
        return complex((self.real * ratio + self.imag) / scale, (self.imag * ratio - self.real) / scale)

    def __pow__(self, exponent: int) -> complex:
        result, power, left = complex(1.0, 0.0), complex(self.real, self.imag), abs(exponent)
        if left > 100:
            raise RecursionError  # Python goes another way there
        while left:
            if left & 1:
                result = result * power
            left >>= 1
            power = power * power
        return complex(1.0, 0.0) / result if exponent <= 0 else result

    def __radd__(self, other: Any) -> complex:
        return complex(other) + self

    def __rsub__(self, other: Any) -> complex:
        return complex(other) - self

    def __rmul__(self, other: Any) -> complex:
        return complex(other) * self

    def __rtruediv__(self, other: Any) -> complex:
        return complex(other) / self

    def __neg__(self) -> complex:
        return complex(-self.real, -self.imag)

    def __pos__(self) -> complex:
        return complex(self.real, self.imag)

    def __abs__(self) -> float:
        return hypotenuse(self.real, self.imag)

    def __bool__(self) -> bool:
        return self.real != 0.0 or self.imag != 0.0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, complex):
            return self.real == other.real and self.imag == other.imag
        if isinstance(other, (int, float)):
            return self.real == other and self.imag == 0.0
        return False

    def __hash__(self) -> int:
        raise NotImplementedError

    def conjugate(self) -> complex:
        return complex(self.real, -self.imag)


def fraction(top: Any, bottom: Any) -> Fraction:
    """Fraction(top, bottom)"""
    if isinstance(top, Fraction) or isinstance(bottom, Fraction):
        return Fraction(top) / Fraction(bottom)
    if bottom == 0:
        raise ZeroDivisionError
    common = greatest_common_divisor(top, bottom)
    if bottom < 0:
        common = -common
    return in_lowest_terms(top // common, bottom // common)


class FractionMethods:
    """Of `Fraction`, with ints and fractions exact, with floats as floats."""

    numerator: int
    denominator: int

    def __add__(self, other: Any) -> Any:
        if isinstance(other, float):
            return float(self) + other
        that = Fraction(other)
        return Fraction(self.numerator * that.denominator + that.numerator * self.denominator, self.denominator * that.denominator)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, float):
            return float(self) * other
        that = Fraction(other)
        return Fraction(self.numerator * that.numerator, self.denominator * that.denominator)

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, float):
            return float(self) / other
        that = Fraction(other)
        return Fraction(self.numerator * that.denominator, self.denominator * that.numerator)

    def __floordiv__(self, other: Any) -> Any:
        that = Fraction(other)
        return self.numerator * that.denominator // (self.denominator * that.numerator)

    def __mod__(self, other: Any) -> Any:
        return self - other * (self // other)

    def __pow__(self, exponent: int) -> Any:
        if exponent < 0:
            return Fraction(self.denominator**-exponent, self.numerator**-exponent)
        return Fraction(self.numerator**exponent, self.denominator**exponent)

    def __radd__(self, other: Any) -> Any:
        return self + other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __rtruediv__(self, other: Any) -> Any:
        if isinstance(other, float):
            return other / float(self)
        return Fraction(other) / self

    def __rfloordiv__(self, other: Any) -> Any:
        return Fraction(other) // self

    def __rmod__(self, other: Any) -> Any:
        return Fraction(other) % self

    def __neg__(self) -> Fraction:
        return in_lowest_terms(-self.numerator, self.denominator)

    def __pos__(self) -> Fraction:
        return in_lowest_terms(self.numerator, self.denominator)

    def __abs__(self) -> Fraction:
        return in_lowest_terms(abs(self.numerator), self.denominator)

    def __bool__(self) -> bool:
        return self.numerator != 0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Fraction):
            return self.numerator == other.numerator and self.denominator == other.denominator
        if isinstance(other, int):
            return self.numerator == other and self.denominator == 1
        if isinstance(other, float):
            raise RecursionError  # Python compares them exactly
        return False

    def __lt__(self, other: Any) -> bool:
        that = Fraction(other)
        return self.numerator * that.denominator < that.numerator * self.denominator

    def __le__(self, other: Any) -> bool:
        that = Fraction(other)
        return self.numerator * that.denominator <= that.numerator * self.denominator

    def __gt__(self, other: Any) -> bool:
        return Fraction(other) < self

    def __ge__(self, other: Any) -> bool:
        return Fraction(other) <= self

    def __hash__(self) -> int:
        raise NotImplementedError

    def __float__(self) -> float:
        return self.numerator / self.denominator

    def __int__(self) -> int:
        return self.numerator // self.denominator if self.numerator >= 0 else -(-self.numerator // self.denominator)

    def __floor__(self) -> int:
        return self.numerator // self.denominator

    def __ceil__(self) -> int:
        return -(-self.numerator // self.denominator)

    def __round__(self) -> int:
        floor, rest = divmod(2 * self.numerator + self.denominator, 2 * self.denominator)
        return floor - 1 if rest == 0 and floor % 2 else floor

    def __str__(self) -> str:
        return str(self.numerator) if self.denominator == 1 else f"{self.numerator}/{self.denominator}"


METHODS: dict[Any, type] = {complex: ComplexMethods, Fraction: FractionMethods}


def method_of(made_by: Any, name: str) -> Any:
    """A method of a class as the compiler reads it."""
    return getattr(METHODS.get(made_by, made_by), name)
