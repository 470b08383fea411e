"""Serves a GGUF model with llama.cpp's HTTP server on 127.0.0.1 until standard input ends.

Chat Completions at /v1/chat/completions; a json_schema response format is enforced by grammar. Port 0 takes a free one.
Usage: serve.py MODEL.gguf PORT
"""

import socket
import sys

import xllamacpp


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main(model: str, port: int) -> None:
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.model_alias = {"tiny-random"}
    params.hostnames = ["127.0.0.1"]
    params.port = port or free_port()
    params.n_ctx = 32768
    params.n_parallel = 4
    # The model is tiny: more threads would only wait for each other, for seconds on a busy host.
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.use_jinja = True
    server = xllamacpp.Server(params)
    print("listening", server.listening_address, flush=True)
    sys.stdin.read()


main(sys.argv[1], int(sys.argv[2]))
