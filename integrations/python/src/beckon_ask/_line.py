"""A connection that surely leads to the running Beckon.

A Beckon that was killed leaves its address file behind, and its port is then free for every user of
the machine. So the connection goes through the socket beside that file, in a directory that only
its owner may use. Where there is no socket, as on Windows, the port first has to prove that it
knows the token before it is shown the token, on the same connection.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import os
import secrets
import socket
import stat
from pathlib import Path
from typing import Tuple
from urllib.parse import urlsplit

_LABEL = b"beckon: who answers this knows the token\n"


def connect(endpoint: Path, timeout: float) -> Tuple[http.client.HTTPConnection, str]:
    """Returns a connection, and the token for it."""
    if not _is_private(endpoint.parent):
        raise OSError(f"{endpoint.parent} may be used by others: it has to be yours alone")
    told = json.loads(endpoint.read_text("utf-8"))
    url, token = urlsplit(told["url"]), told["token"]
    if told.get("socket"):
        connection = _OverSocket(str(endpoint.with_name("beckon.sock")), timeout)
        connection.connect()
        return connection, token
    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=timeout)
    # Later requests go over the connection that was proven, or fail.
    connection.auto_open = 0
    connection.connect()
    try:
        _prove(connection, token)
    except BaseException:
        connection.close()
        raise
    return connection, token


class _OverSocket(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("beckon", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        try:
            self.sock.connect(self._path)
        except OSError:
            self.close()
            raise


def _prove(connection: http.client.HTTPConnection, token: str) -> None:
    nonce = secrets.token_hex(32)
    proven = hmac.new(token.encode(), _LABEL + nonce.encode(), hashlib.sha256).hexdigest()
    connection.request("GET", "/proof?nonce=" + nonce)
    answer = connection.getresponse().read(len(proven) + 1)
    if not hmac.compare_digest(answer, proven.encode()):
        raise OSError("somebody else listens where Beckon was, or an older Beckon")


def _is_private(directory: Path) -> bool:
    """Tells whether only the owner may use a directory. Windows closes a user's own folders by
    itself.
    """
    if not hasattr(os, "geteuid"):
        return True
    found = directory.stat()
    return found.st_uid == os.geteuid() and not stat.S_IMODE(found.st_mode) & 0o077
