"""A server that ends at once, saying why on stderr: `dying.py MODE`."""

import sys

print("no configuration file", file=sys.stderr, flush=True)
sys.exit(4)
