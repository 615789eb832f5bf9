"""Parts of Python's library, written in Python for the compiler: it compiles them like rules, for the types at hand."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from zermelo.compiler.faults import Strange

# --- numbers


def integer_power(base: Any, exponent: int) -> Any:
    result = 1
    while exponent > 0:
        if exponent & 1:
            result = result * base
        exponent >>= 1
        if exponent > 0:
            base = base * base
    return result


def power_modulo(base: int, exponent: int, modulus: int) -> int:
    if modulus == 0:
        raise ValueError
    if exponent < 0:
        raise Strange
    result = 1 % modulus
    base %= modulus
    while exponent > 0:
        if exponent & 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent >>= 1
    return result


def greatest_common_divisor(one: int, other: int) -> int:
    one, other = abs(one), abs(other)
    while other:
        one, other = other, one % other
    return one


def binomial(n: int, k: int) -> int:
    if n < 0 or k < 0:
        raise ValueError
    if k > n:
        return 0
    k = min(k, n - k)
    result = 1
    for i in range(k):
        result = result * (n - i) // (i + 1)
    return result


def falling(n: int, k: int) -> int:
    if n < 0 or k < 0:
        raise ValueError
    result = 1
    for i in range(k):
        result *= n - i
    return result


def integer_root(n: int) -> int:
    if n < 0:
        raise ValueError
    if n == 0:
        return 0
    root = 1 << (n.bit_length() + 1) // 2
    while True:
        better = (root + n // root) // 2
        if better >= root:
            return root
        root = better


def product_of(items: Iterable[Any], start: Any) -> Any:
    result = start
    for item in items:
        result = result * item
    return result


# --- texts


def float_sum(items: Iterable[float]) -> float:
    """The sum of floats, rounded once (Shewchuk, 1997): `parts` do not overlap and are their sum exactly."""
    parts: list[float] = []
    for item in items:
        rest = float(item)
        if not -1e300 < rest < 1e300:
            raise RecursionError
        kept: list[float] = []
        for part in parts:
            large, small = (rest, part) if abs(rest) >= abs(part) else (part, rest)
            rest = large + small
            lost = small - (rest - large)
            if lost != 0.0:
                kept.append(lost)
        kept.append(rest)
        parts = kept
    total, lost, at = 0.0, 0.0, len(parts)
    while at > 0 and lost == 0.0:
        at -= 1
        before = total
        total = before + parts[at]
        lost = parts[at] - (total - before)
    if at > 0 and ((lost < 0.0 and parts[at - 1] < 0.0) or (lost > 0.0 and parts[at - 1] > 0.0)):  # half way, and a little more
        twice = 2.0 * lost
        if total + twice - total == twice:
            total += twice
    return total


def text_of_bits(number: int) -> str:
    rest = abs(number)
    digits = "0" if rest == 0 else ""
    while rest > 0:
        digits = "01"[rest & 1] + digits
        rest >>= 1
    return "-0b" + digits if number < 0 else "0b" + digits


def text_of_int(number: int) -> str:
    if number == 0:
        return "0"
    rest = abs(number)
    digits = ""
    while rest > 0:
        digits = "0123456789"[rest % 10] + digits
        rest //= 10
    return "-" + digits if number < 0 else digits


def text_in_base(number: int, base: int) -> str:
    rest = abs(number)
    digits = "0" if rest == 0 else ""
    while rest > 0:
        digits = "0123456789abcdef"[rest % base] + digits
        rest //= base
    return "-" + digits if number < 0 else digits


def text_with_base(number: int, base: int, prefix: str) -> str:
    digits = prefix + text_in_base(abs(number), base)
    return "-" + digits if number < 0 else digits


def signed(text: str, sign: str) -> str:
    return text if text[:1] == "-" else sign + text


def plain_text(text: str) -> str:
    """The same text, if its letters, digits and spaces are ASCII's own."""
    for letter in text:
        if letter > "\x7f" or "\x1c" <= letter <= "\x1f":
            raise Strange
    return text


def int_of_text(text: str) -> int:
    text = strip(plain_text(text))
    sign = 1
    if text[:1] == "-":
        sign, text = -1, text[1:]
    elif text[:1] == "+":
        text = text[1:]
    if not text:
        raise ValueError
    number = 0
    for letter in text:
        digit = ord(letter) - 48
        if letter == "_":
            raise Strange
        if digit < 0 or digit > 9:
            raise ValueError
        number = number * 10 + digit
    return sign * number


def find(text: str, part: str, start: int) -> int:
    width = len(part)
    if start < 0:
        start = max(start + len(text), 0)
    for i in range(start, len(text) - width + 1):
        if text[i : i + width] == part:
            return i
    return -1


def rfind(text: str, part: str) -> int:
    width = len(part)
    for i in range(len(text) - width, -1, -1):
        if text[i : i + width] == part:
            return i
    return -1


def text_contains(text: str, part: str) -> bool:
    return find(text, part, 0) >= 0


def text_index(text: str, part: str, start: int) -> int:
    found = find(text, part, start)
    if found < 0:
        raise ValueError
    return found


def text_count(text: str, part: str) -> int:
    if not part:
        return len(text) + 1
    count = 0
    at = find(text, part, 0)
    while at >= 0:
        count += 1
        at = find(text, part, at + len(part))
    return count


def replace(text: str, old: str, new: str, most: int) -> str:
    if not old:
        return spaced(text, new, most)
    result = text[:0]
    start = 0
    at = find(text, old, 0)
    while at >= 0 and most != 0:
        result = result + text[start:at] + new
        start = at + len(old)
        most -= 1
        at = find(text, old, start)
    return result + text[start:]


def spaced(text: str, new: str, most: int) -> str:
    """text.replace("", new, most)"""
    result = text[:0]
    for letter in text:
        if most != 0:
            result = result + new
            most -= 1
        result = result + letter
    return result + new if most != 0 else result


def split(text: str, separator: str, most: int) -> list[str]:
    if not separator:
        raise ValueError
    parts = []
    start = 0
    at = find(text, separator, 0)
    while at >= 0 and most != 0:
        parts.append(text[start:at])
        start = at + len(separator)
        most -= 1
        at = find(text, separator, start)
    parts.append(text[start:])
    return parts


def rsplit(text: str, separator: str, most: int) -> list[str]:
    if not separator:
        raise ValueError
    parts = []
    at = rfind(text, separator)
    while at >= 0 and most != 0:
        parts.append(text[at + len(separator) :])
        text = text[:at]
        most -= 1
        at = rfind(text, separator)
    parts.append(text)
    parts.reverse()
    return parts


def split_words(text: str) -> list[str]:
    parts = []
    start = -1
    for i in range(len(text)):
        if text[i] in " \t\n\r\f\v":
            if start >= 0:
                parts.append(text[start:i])
            start = -1
        elif start < 0:
            start = i
    if start >= 0:
        parts.append(text[start:])
    return parts


def split_lines(text: str) -> list[str]:
    parts = []
    start = 0
    for i in range(len(text)):
        if text[i] in "\r\v\f":
            raise Strange
        if text[i] == "\n":
            parts.append(text[start:i])
            start = i + 1
    if start < len(text):
        parts.append(text[start:])
    return parts


def strip(text: str) -> str:
    return strip_left(strip_right(text, " \t\n\r\f\v"), " \t\n\r\f\v")


def strip_left(text: str, letters: str) -> str:
    start = 0
    while start < len(text) and text[start] in letters:
        start += 1
    return text[start:]


def strip_right(text: str, letters: str) -> str:
    end = len(text)
    while end > 0 and text[end - 1] in letters:
        end -= 1
    return text[:end]


def partition(text: str, separator: str) -> tuple[str, str, str]:
    at = find(text, separator, 0)
    if at < 0:
        return (text, "", "")
    return (text[:at], separator, text[at + len(separator) :])


def right_partition(text: str, separator: str) -> tuple[str, str, str]:
    at = rfind(text, separator)
    if at < 0:
        return ("", "", text)
    return (text[:at], separator, text[at + len(separator) :])


def remove_prefix(text: str, part: str) -> str:
    return text[len(part) :] if text.startswith(part) else text


def remove_suffix(text: str, part: str) -> str:
    return text[: len(text) - len(part)] if part and text.endswith(part) else text


def capitalize(text: str) -> str:
    return upper(text[:1]) + lower(text[1:])


def center(text: str, width: int, fill: str = " ") -> str:
    margin = width - len(text)
    if margin <= 0:
        return text
    left = margin // 2 + (margin & width & 1)
    return fill * left + text + fill * (margin - left)


def title(text: str) -> str:
    result = ""
    inside = False
    for letter in text:
        result = result + (lower(letter) if inside else upper(letter))
        inside = "a" <= letter <= "z" or "A" <= letter <= "Z"
    return result


def upper(text: str) -> str:
    return "".join(chr(ord(letter) - 32) if "a" <= letter <= "z" else letter for letter in text)


def lower(text: str) -> str:
    return "".join(chr(ord(letter) + 32) if "A" <= letter <= "Z" else letter for letter in text)


def swapcase(text: str) -> str:
    return "".join(
        chr(ord(letter) - 32) if "a" <= letter <= "z" else chr(ord(letter) + 32) if "A" <= letter <= "Z" else letter for letter in text
    )


def is_upper(text: str) -> bool:
    return any("A" <= letter <= "Z" for letter in text) and not any("a" <= letter <= "z" for letter in text)


def is_lower(text: str) -> bool:
    return any("a" <= letter <= "z" for letter in text) and not any("A" <= letter <= "Z" for letter in text)


def is_digit(text: str) -> bool:
    return len(text) > 0 and all("0" <= letter <= "9" for letter in text)


def is_alpha(text: str) -> bool:
    return len(text) > 0 and all("a" <= letter <= "z" or "A" <= letter <= "Z" for letter in text)


def is_alnum(text: str) -> bool:
    return len(text) > 0 and all("0" <= letter <= "9" or "a" <= letter <= "z" or "A" <= letter <= "Z" for letter in text)


def is_space(text: str) -> bool:
    return len(text) > 0 and all(letter in " \t\n\r\f\v" for letter in text)


def pad_left(text: str, width: int, fill: str) -> str:
    return fill * (width - len(text)) + text


def pad_right(text: str, width: int, fill: str) -> str:
    return text + fill * (width - len(text))


def padded_center(text: str, width: int, fill: str) -> str:
    margin = max(width - len(text), 0)
    return fill * (margin // 2) + text + fill * (margin - margin // 2)


def pad_after_sign(text: str, width: int, fill: str) -> str:
    if text[:1] == "-" or text[:1] == "+" or text[:1] == " ":
        return text[:1] + fill * (width - len(text)) + text[1:]
    return fill * (width - len(text)) + text


def translate(text: str, table: dict[str, str]) -> str:
    return "".join([table.get(letter, letter) for letter in text])


def zero_fill(text: str, width: int) -> str:
    if text[:1] == "-" or text[:1] == "+":
        return text[:1] + "0" * (width - len(text)) + text[1:]
    return "0" * (width - len(text)) + text


# --- iteration


def product(rows: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    count = len(rows)
    for row in rows:
        if len(row) == 0:
            return
    places = [0] * count
    while True:
        yield tuple([rows[i][places[i]] for i in range(count)])
        i = count - 1
        while i >= 0 and places[i] == len(rows[i]) - 1:
            places[i] = 0
            i -= 1
        if i < 0:
            return
        places[i] += 1


def combinations(items: tuple[Any, ...], count: int) -> Iterator[tuple[Any, ...]]:
    total = len(items)
    if count > total:
        return
    places = list(range(count))
    while True:
        yield tuple([items[place] for place in places])
        i = count - 1
        while i >= 0 and places[i] == i + total - count:
            i -= 1
        if i < 0:
            return
        places[i] += 1
        for j in range(i + 1, count):
            places[j] = places[j - 1] + 1


def combinations_with_replacement(items: tuple[Any, ...], count: int) -> Iterator[tuple[Any, ...]]:
    total = len(items)
    if total == 0 and count > 0:
        return
    places = [0] * count
    while True:
        yield tuple([items[place] for place in places])
        i = count - 1
        while i >= 0 and places[i] == total - 1:
            i -= 1
        if i < 0:
            return
        following = places[i] + 1
        for j in range(i, count):
            places[j] = following


def permutations(items: tuple[Any, ...], count: int) -> Iterator[tuple[Any, ...]]:
    total = len(items)
    if count > total:
        return
    places = list(range(total))
    cycles = [total - i for i in range(count)]
    yield tuple([items[places[i]] for i in range(count)])
    while total > 0:
        i = count - 1
        while i >= 0:
            cycles[i] -= 1
            if cycles[i] == 0:
                first = places[i]
                for j in range(i, total - 1):
                    places[j] = places[j + 1]
                places[total - 1] = first
                cycles[i] = total - i
                i -= 1
            else:
                j = total - cycles[i]
                places[i], places[j] = places[j], places[i]
                yield tuple([items[places[k]] for k in range(count)])
                break
        if i < 0:
            return


# --- heaps and sorted lists, with the same order of items as Python's modules leave


def heap_push(heap: list[Any], item: Any) -> None:
    heap.append(item)
    heap_rise(heap, 0, len(heap) - 1)


def heap_rise(heap: list[Any], top: int, at: int) -> None:
    item = heap[at]
    while at > top:
        above = (at - 1) // 2
        if not item < heap[above]:
            break
        heap[at] = heap[above]
        at = above
    heap[at] = item


def heap_sink(heap: list[Any], top: int) -> None:
    at = top
    item = heap[at]
    below = 2 * at + 1
    while below < len(heap):
        if below + 1 < len(heap) and not heap[below] < heap[below + 1]:
            below += 1
        heap[at] = heap[below]
        at = below
        below = 2 * at + 1
    heap[at] = item
    heap_rise(heap, top, at)


def heap_pop(heap: list[Any]) -> Any:
    last = heap.pop()
    if len(heap) == 0:
        return last
    least = heap[0]
    heap[0] = last
    heap_sink(heap, 0)
    return least


def heap_replace(heap: list[Any], item: Any) -> Any:
    least = heap[0]
    heap[0] = item
    heap_sink(heap, 0)
    return least


def heap_push_pop(heap: list[Any], item: Any) -> Any:
    if len(heap) > 0 and heap[0] < item:
        return heap_replace(heap, item)
    return item


def heap_make(heap: list[Any]) -> None:
    for at in range(len(heap) // 2 - 1, -1, -1):
        heap_sink(heap, at)


def smallest(count: int, items: list[Any]) -> list[Any]:
    return sorted(items)[: max(count, 0)]


def largest(count: int, items: list[Any]) -> list[Any]:
    return sorted(items, reverse=True)[: max(count, 0)]


def bisect_left(items: Any, item: Any, low: int = 0, high: int = -1) -> int:
    if high < 0:
        high = len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < item:
            low = middle + 1
        else:
            high = middle
    return low


def bisect_right(items: Any, item: Any, low: int = 0, high: int = -1) -> int:
    if high < 0:
        high = len(items)
    while low < high:
        middle = (low + high) // 2
        if item < items[middle]:
            high = middle
        else:
            low = middle + 1
    return low


def insort_left(items: list[Any], item: Any) -> None:
    items.insert(bisect_left(items, item), item)


def insort_right(items: list[Any], item: Any) -> None:
    items.insert(bisect_right(items, item), item)


def is_close(one: float, other: float, rel_tol: float = 1e-09, abs_tol: float = 0.0) -> bool:
    if one == other:
        return True
    return abs(one - other) <= max(rel_tol * max(abs(one), abs(other)), abs_tol)


def least_common_multiple(one: int, other: int) -> int:
    if one == 0 or other == 0:
        return 0
    return abs(one // greatest_common_divisor(one, other) * other)


def zip_longest(one: tuple[Any, ...], other: tuple[Any, ...], fill: Any) -> Iterator[tuple[Any, Any]]:
    for i in range(max(len(one), len(other))):
        yield (one[i] if i < len(one) else fill), (other[i] if i < len(other) else fill)


def compress(items: tuple[Any, ...], marks: tuple[Any, ...]) -> Iterator[Any]:
    for i in range(min(len(items), len(marks))):
        if marks[i]:
            yield items[i]


def int_in_base(text: str, base: int) -> int:
    text = lower(strip(plain_text(text)))
    sign = 1
    if text[:1] == "-":
        sign, text = -1, text[1:]
    elif text[:1] == "+":
        text = text[1:]
    if not text:
        raise ValueError
    number = 0
    for letter in text:
        digit = "0123456789abcdefghijklmnopqrstuvwxyz".find(letter)
        if letter == "_" or base < 2 or base > 36 or (digit >= base and number == 0):
            raise Strange
        if digit < 0 or digit >= base:
            raise ValueError
        number = number * base + digit
    return sign * number


def accumulate(items: Iterable[Any], function: Callable[[Any, Any], Any]) -> Iterator[Any]:
    started = False
    for item in items:
        if not started:
            total = item
            started = True
        else:
            total = function(total, item)
        yield total


def accumulate_from(items: Iterable[Any], function: Callable[[Any, Any], Any], start: Any) -> Iterator[Any]:
    total = start
    yield total
    for item in items:
        total = function(total, item)
        yield total


def accumulate_sum(items: Iterable[Any], start: Any) -> Iterator[Any]:
    total = start
    for item in items:
        total = total + item
        yield total


def pairwise(items: tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
    for i in range(len(items) - 1):
        yield items[i], items[i + 1]


def take_while(test: Callable[[Any], bool], items: Iterable[Any]) -> Iterator[Any]:
    for item in items:
        if not test(item):
            return
        yield item


def group_by(items: tuple[Any, ...], key: Callable[[Any], Any]) -> Iterator[tuple[Any, Any]]:
    start = 0
    while start < len(items):
        mark = key(items[start])
        end = start + 1
        while end < len(items) and key(items[end]) == mark:
            end += 1
        yield mark, items[start:end]
        start = end


def reduce(function: Callable[[Any, Any], Any], items: Iterable[Any], start: Any) -> Any:
    total = start
    for item in items:
        total = function(total, item)
    return total


def reduce_first(function: Callable[[Any, Any], Any], items: tuple[Any, ...]) -> Any:
    if len(items) == 0:
        raise TypeError
    total = items[0]
    for i in range(1, len(items)):
        total = function(total, items[i])
    return total


def set_union(first: set[Any], others: Iterable[Any]) -> set[Any]:
    result = first | set()
    for each in others:
        result = result.union(each)
    return result


def set_intersection(first: set[Any], others: Iterable[Any]) -> set[Any]:
    result = first | set()
    for each in others:
        result = result.intersection(each)
    return result


def set_difference(first: set[Any], others: Iterable[Any]) -> set[Any]:
    result = first | set()
    for each in others:
        result = result.difference(each)
    return result


def set_update(first: set[Any], others: Iterable[Any]) -> None:
    for each in others:
        first.update(each)


def sets_union(sets: tuple[set[Any], ...]) -> set[Any]:
    if len(sets) == 0:
        raise TypeError
    return set_union(sets[0], sets[1:])


def sets_intersection(sets: tuple[set[Any], ...]) -> set[Any]:
    if len(sets) == 0:
        raise TypeError
    return set_intersection(sets[0], sets[1:])


def rotated(items: tuple[Any, ...], count: int) -> list[Any]:
    total = len(items)
    return [items[(i - count) % total] for i in range(total)]


def elements(pairs: list[tuple[Any, int]]) -> Iterator[Any]:
    for item, count in pairs:
        for _ in range(count):
            yield item


def counter_and(one: dict[Any, int], other: dict[Any, int]) -> list[tuple[Any, int]]:
    return [(key, min(count, other[key])) for key, count in one.items() if min(count, other[key]) > 0]


def counter_or(one: dict[Any, int], other: dict[Any, int]) -> list[tuple[Any, int]]:
    found = [(key, max(count, other[key])) for key, count in one.items() if max(count, other[key]) > 0]
    return found + [(key, count) for key, count in other.items() if key not in one and count > 0]


def counter_add(one: dict[Any, int], other: dict[Any, int]) -> list[tuple[Any, int]]:
    found = [(key, count + other[key]) for key, count in one.items() if count + other[key] > 0]
    return found + [(key, count) for key, count in other.items() if key not in one and count > 0]


def counter_sub(one: dict[Any, int], other: dict[Any, int]) -> list[tuple[Any, int]]:
    found = [(key, count - other[key]) for key, count in one.items() if count - other[key] > 0]
    return found + [(key, -count) for key, count in other.items() if key not in one and count < 0]


def most_common(pairs: list[tuple[Any, int]]) -> list[tuple[Any, int]]:
    return sorted(pairs, key=lambda pair: pair[1], reverse=True)
