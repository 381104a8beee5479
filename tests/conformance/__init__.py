"""LeoChat's host under the protocol's own conformance suite; run by `python3 build conformance`."""
