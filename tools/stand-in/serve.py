"""Serves llmock or fakellm, as they are, on a free port of 127.0.0.1 until standard input ends.

Usage: serve.py llmock|fakellm
"""

import asyncio
import importlib
import os
import socket
import sys
import threading

import uvicorn

APPLICATIONS = {"llmock": "llmock.main", "fakellm": "fakellm.server"}


def main(name: str) -> None:
    application = importlib.import_module(APPLICATIONS[name]).app
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    server = uvicorn.Server(uvicorn.Config(application, log_level="error"))

    def end_with_standard_input() -> None:
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=end_with_standard_input, daemon=True).start()
    print("listening http://127.0.0.1:%d" % listening.getsockname()[1], flush=True)
    asyncio.run(server.serve(sockets=[listening]))


main(sys.argv[1])
