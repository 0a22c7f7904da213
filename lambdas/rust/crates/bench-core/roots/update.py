#!/usr/bin/env python3
"""Write amazon.pem: the five roots of Amazon Trust Services, taken from a bundle.

    ./update.py BUNDLE.pem      for example certifi's; the default is the operating system's

A root is accepted only if the SHA-256 of its public key is the one that
https://www.amazontrust.com/repository/ publishes for its name. When Amazon publishes a new root, add it to PUBLISHED.
"""

import hashlib
import re
import ssl
import subprocess
import sys
from pathlib import Path

PUBLISHED = {
    "Amazon Root CA 1": "fbe3018031f9586bcbf41727e417b7d1c45c2f47f93be372a17b96b50757d5a2",
    "Amazon Root CA 2": "7f4296fc5b6a4e3b35d3c369623e364ab1af381d8fa7121533c9d6c633ea2461",
    "Amazon Root CA 3": "36abc32656acfc645c61b71613c4bf21c787f5cabbee48348d58597803d7abc9",
    "Amazon Root CA 4": "f7ecded5c66047d28ed6466b543c40e0743abe81d109254dcf845d4c2c7853c5",
    "Starfield Services G2": "2b071c59a0a0ae76b0eadb2bad23bad4580b69c3601b630c2eaf0613afa83f92",
}
SYSTEM_BUNDLE = "/etc/ssl/certs/ca-certificates.crt"
CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n?", re.DOTALL)


def openssl(*arguments: str, data: bytes) -> bytes:
    """Run openssl, which must be on PATH, with the data on standard input."""
    command = ["openssl", *arguments]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout  # noqa: S603


def key_hash(certificate: str) -> str:
    """Hash a certificate's public key (SubjectPublicKeyInfo, DER), as Amazon publishes it."""
    key = openssl("x509", "-noout", "-pubkey", data=certificate.encode())
    return hashlib.sha256(openssl("pkey", "-pubin", "-outform", "DER", data=key)).hexdigest()


def roots_of(bundle: str) -> dict[str, str]:
    """Return the newest certificate of each published key: a root may be reissued."""
    found: dict[str, tuple[float, str]] = {}
    names = {key: name for name, key in PUBLISHED.items()}
    for certificate in CERTIFICATE.findall(bundle):
        name = names.get(key_hash(certificate))
        if name is None:
            continue
        end = openssl("x509", "-noout", "-enddate", data=certificate.encode()).decode()
        end_seconds = ssl.cert_time_to_seconds(end.strip().removeprefix("notAfter="))
        if name not in found or end_seconds > found[name][0]:
            found[name] = (end_seconds, certificate)
    return {name: certificate for name, (_, certificate) in found.items()}


def main() -> None:
    """Write the file, or name the missing root and change nothing."""
    source = Path(sys.argv[1] if len(sys.argv) > 1 else SYSTEM_BUNDLE)
    roots = roots_of(source.read_text())
    missing = [name for name in PUBLISHED if name not in roots]
    if missing:
        sys.exit(f"{source}: found no {', '.join(missing)}; name a bundle that holds them")
    ders = [ssl.PEM_cert_to_DER_cert(roots[name]) for name in PUBLISHED]
    text = "".join(ssl.DER_cert_to_PEM_cert(der) for der in ders)
    Path(__file__).with_name("amazon.pem").write_text(text)


if __name__ == "__main__":
    main()
