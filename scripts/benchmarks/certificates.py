"""A certificate authority of our own beside the system's, as a hashed directory and as a bundle."""

import subprocess
from pathlib import Path

SYSTEM = Path("/etc/ssl/certs")


class Authority:
    def __init__(self, folder, addresses):
        folder = Path(folder)
        key, authority = folder / "ca.key", folder / "ca.pem"
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
                "-subj", "/CN=Crier benchmark", "-keyout", key, "-out", authority)
        names = folder / "names"
        names.write_text("subjectAltName=" + ",".join(f"IP:{address}" for address in addresses) + "\n")
        request, leaf = folder / "leaf.csr", folder / "leaf.pem"
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=origin",
                "-keyout", folder / "leaf.key", "-out", request)
        openssl("x509", "-req", "-in", request, "-CA", authority, "-CAkey", key, "-CAcreateserial", "-days", "30",
                "-extfile", names, "-out", leaf)
        # nginx takes chain and key from one file.
        self.server = folder / "server.pem"
        self.server.write_text(leaf.read_text() + (folder / "leaf.key").read_text())
        self.directory = folder / "certs"
        self.directory.mkdir()
        for link in SYSTEM.glob("????????.?"):
            (self.directory / link.name).symlink_to(link.resolve())
        digest = openssl("x509", "-hash", "-noout", "-in", authority).strip()
        (self.directory / f"{digest}.0").symlink_to(authority)
        self.bundle = folder / "bundle.crt"
        self.bundle.write_text((SYSTEM / "ca-certificates.crt").read_text() + authority.read_text())


def openssl(*arguments):
    return subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, text=True).stdout
