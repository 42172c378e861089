"""A pytest plugin for the official kit: failures that are known are expected, and nothing else.

Usage in a checkout of a2aproject/a2a-tck, branch 1.0-dev; see docs/check-conformance.md:

    PYTHONPATH=TROUPE/scripts/tck ./run_tck.py --sut-host http://localhost:9999 -- -p known_failures
"""

import json
import os

from http.server import HTTPServer
from pathlib import Path

import pytest


def pytest_configure():
    """Let the kit receive notifications on the port that the agent allows."""
    from tck.webhook import server

    port = int(os.environ.get("TCK_WEBHOOK_PORT", "9998"))
    server.HTTPServer = lambda address, handler: HTTPServer((address[0], port), handler)


def pytest_collection_modifyitems(items):
    """Expect the failures of known-failures.json; one that passes is an error until it is taken off the list."""
    known = json.loads(Path(__file__).with_name("known-failures.json").read_text())
    reasons = {test: entry["reason"] for entry in known for test in entry["tests"]}
    for item in items:
        reason = reasons.pop(item.nodeid.removeprefix("tests/compatibility/"), None)
        if reason is not None:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
