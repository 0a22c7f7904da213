"""Start commands and environments of functions, by runtime."""

import os
from pathlib import Path

from localemu.utils.ssl import get_cert_pem_file_path


def command_of(runtime: str, code: Path, handler: str) -> list[str]:
    """Return the command; LocalEmu's environment names the interpreters and clients."""
    if runtime.startswith("provided"):
        return [str(code / "bootstrap")]
    if runtime.startswith("python"):
        return [os.environ["KELVIN_FUNCTION_PYTHON"], "-m", "awslambdaric", handler]
    if runtime.startswith("nodejs"):
        return [os.environ["KELVIN_FUNCTION_NODE"], os.environ["KELVIN_NODE_CLIENT"]]
    raise ValueError(f"runtime: found {runtime}; allowed: provided.*, python*, nodejs*")


def environment_of(
    runtime: str, given: dict[str, str], code: Path, runtime_api: str
) -> dict[str, str]:
    """Return the complete environment: LocalEmu's variables, including the function's own."""
    environment = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "en_US.UTF-8",
        # The SDK that Lambda's Node.js runtime includes.
        "NODE_PATH": os.environ["KELVIN_NODE_PATH"],
        **{name: str(value) for name, value in given.items()},
        "LAMBDA_TASK_ROOT": str(code),
        "LAMBDA_RUNTIME_DIR": str(code),
        "AWS_LAMBDA_RUNTIME_API": runtime_api,
    }
    return environment if runtime.startswith("provided") else {**environment, **_tls(environment)}


def _tls(environment: dict[str, str]) -> dict[str, str]:
    """Make a function use TLS to LocalEmu, because a bucket's policy denies requests without it.

    Rust's clients cannot: they reject a certificate that is its own authority.
    """
    endpoint = environment["AWS_ENDPOINT_URL"].replace("http://", "https://", 1)
    certificate = get_cert_pem_file_path()
    trusted = dict.fromkeys(("NODE_EXTRA_CA_CERTS", "AWS_CA_BUNDLE"), certificate)
    return {"AWS_ENDPOINT_URL": endpoint, **trusted}
