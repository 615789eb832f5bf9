"""A corpus of awkward rules. Each either compiles and agrees with the interpreter, or names the user's line and the reason."""
