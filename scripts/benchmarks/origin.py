"""An nginx of our own on a free loopback port, and what its log says."""

import atexit
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

CONFIGURATION = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
    types {{ application/rss+xml xml; application/atom+xml atom; application/json json; }}
    log_format plain '$status $bytes_sent $ssl_protocol';
    access_log {folder}/access.log plain;
    client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
    uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
    keepalive_requests 1000000;
    gzip_static on;
    etag on;
    server {{ {listen} root {root}; }}
}}
"""


@dataclass
class Proof:
    """What a run asked of the origin."""
    requests: int = 0
    not_modified: int = 0
    bytes: int = 0

    def __str__(self):
        return f"{self.requests} requests, {self.not_modified} × 304, {self.bytes / 1e6:.1f} MB"


class Server:
    def __init__(self, folder, root, certificate=None, addresses=("127.0.0.1",)):
        """- certificate: a PEM file with chain and key; serves https then."""
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        ssl = " ssl" if certificate else ""
        listen = " ".join(f"listen {address}:{self.port}{ssl};" for address in addresses)
        if certificate:
            listen += f" ssl_certificate {certificate}; ssl_certificate_key {certificate};"
        path = self.folder / "nginx.conf"
        path.write_text(CONFIGURATION.format(folder=self.folder, root=root, listen=listen))
        self.log = self.folder / "access.log"
        self.process = subprocess.Popen(
            ["nginx", "-p", str(self.folder), "-e", str(self.folder / "error.log"), "-c", str(path)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        atexit.register(self.stop)
        self.wait(addresses[-1])

    def wait(self, address):
        for _ in range(200):
            try:
                socket.create_connection((address, self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise SystemExit(f"nginx does not start: {(self.folder / 'error.log').read_text()}")

    def url(self, path, address="127.0.0.1", scheme="http"):
        return f"{scheme}://{address}:{self.port}/{path}"

    def take(self):
        """What was asked since the last call."""
        proof = Proof()
        # A line is written after the answer was sent.
        time.sleep(0.05)
        text = self.log.read_text() if self.log.exists() else ""
        with open(self.log, "r+b" if self.log.exists() else "wb") as log:
            log.truncate(0)
        for line in text.replace("\0", "").splitlines():
            status, size = line.split()[:2]
            proof.requests += 1
            proof.not_modified += status == "304"
            proof.bytes += int(size)
        return proof

    def stop(self):
        self.process.terminate()
        self.process.wait()


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]
