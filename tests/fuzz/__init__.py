"""A differential fuzzer: random rules in the supported language, played by the interpreter and by compiled code.

`python -m tests.fuzz --programs 1000 --seed 1` writes programs from a seeded, typed grammar, plays random games with both, and
shrinks the first difference to the smallest program that still shows it.
"""
