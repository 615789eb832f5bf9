"""Compiled kernels for matrix games. They load Numba: import them where one is about to run, never at the top of a module."""
