"""Proof of a value: null-window questions, proof-number search, full strategies and their verifier."""
