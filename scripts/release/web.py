"""Packages for pages, for Node.js and for Python: the WebAssembly module, and the program as a wheel."""

import base64
import hashlib
import json
import shutil
import subprocess
from pathlib import Path

from archives import Member, write_archive
from commands import run
from licences import third_party_licences

_BINARYEN = "binaryen@132.0.0"
_TRIPLE = "wasm32-wasip1"
# Each ply of a search has its moves on the stack.
_FLAGS = ("-Ctarget-feature=+simd128", "-Clink-arg=-zstack-size=16777216", "-Cpanic=abort")
# What rustc takes for granted in a module; then the points at which a search can be put aside. Nothing reaches them
# through a pointer, so that only functions of the search are slower for it.
_FEATURES = ("simd", "bulk-memory", "nontrapping-float-to-int", "sign-ext", "mutable-globals", "reference-types",
             "multivalue")  # fmt: skip
_OPTIMISE = ("--asyncify", "--pass-arg=asyncify-imports@kurosabi.give_way", "--pass-arg=asyncify-ignore-indirect",
             "-O3", "--strip-debug", "--strip-producers")  # fmt: skip
_FILES = ("kurosabi.js", "kurosabi.d.ts", "usi.js", "README.md")
_NETWORK = "src/eval/nnue/embedded/kurosabi.kuro.gz"
# The systems of wheels, by the targets of which they carry the program.
WHEELS = {
    "linux-x86-64": "manylinux_2_17_x86_64.musllinux_1_1_x86_64",
    "linux-arm64": "manylinux_2_17_aarch64.musllinux_1_1_aarch64",
    "windows-x86-64": "win_amd64",
}


def build_module(root: Path, folder: Path, environment: dict[str, str], flags: list[str]) -> Path:
    """Build ``kurosabi.wasm``; returns the folder in which it lies beside its scripts."""
    run(["rustup", "target", "add", _TRIPLE], cwd=root)
    environment = environment | {"CARGO_ENCODED_RUSTFLAGS": "\x1f".join([*flags, *_FLAGS])}
    library = ("rustc", "--locked", "--lib", "--crate-type", "cdylib", "--no-default-features", "--features", "web")
    run(["cargo", *library, "--target", _TRIPLE, "--release"], cwd=root, env=environment)
    tools = folder / "tools-web"
    if not (tools / "node_modules/binaryen").exists():
        run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", tools, _BINARYEN])
    package = folder / "web"
    # Everything in it is packed, so that nothing may be left of a build with another network.
    shutil.rmtree(package, ignore_errors=True)
    package.mkdir(parents=True)
    for name in _FILES:
        (package / name).write_bytes((root / "src/web" / name).read_bytes())
    # Pages may keep a file of this name for good: another network has another name.
    network = (root / _NETWORK).read_bytes()
    network_name = f"kurosabi-{hashlib.sha256(network).hexdigest()[:8]}.nnue"
    (package / network_name).write_bytes(network)
    loader = package / "kurosabi.js"
    loader.write_text(loader.read_text().replace("kurosabi.nnue", network_name))
    # Node.js takes files named .js for modules where this says so.
    (package / "package.json").write_text('{ "type": "module" }\n')
    optimise = ["node", tools / "node_modules/binaryen/bin/wasm-opt", *(f"--enable-{name}" for name in _FEATURES)]
    module = folder / _TRIPLE / "release/kurosabi.wasm"
    run([*optimise, *_OPTIMISE, module, "-o", package / "kurosabi.wasm"])
    return package


def write_web(root: Path, out: Path, package: Path, version: str, time: int) -> list[Path]:
    """Write the folder for ShogiHome as a zip, and the package for npm."""
    files = [Member(path.name, path.read_bytes()) for path in package.iterdir() if path.name != "package.json"]
    licences = [
        *(Member(name, (root / name).read_bytes()) for name in ("LICENSE-APACHE", "LICENSE-MIT")),
        Member("LICENSES-OF-LIBRARIES.txt", third_party_licences(root, _TRIPLE, "web").encode()),
    ]
    manifest = Member("engine.json", _json(_manifest(root, package)))
    web = write_archive(out / f"kurosabi-{version}-web.zip", "kurosabi", [*files, *licences, manifest], time)
    npm = Member("package.json", _json({
        "name": "kurosabi", "version": version, "description": "A USI shogi engine for browsers and Node.js",
        "license": "MIT OR Apache-2.0", "type": "module", "main": "kurosabi.js", "types": "kurosabi.d.ts",
        "bin": {"kurosabi": "usi.js"}, "keywords": ["shogi", "usi", "engine", "wasm"], "engines": {"node": ">=20"},
    }))  # fmt: skip
    return [web, write_archive(out / f"kurosabi-{version}-npm.tgz", "package", [*files, *licences, npm], time)]


def write_wheel(out: Path, program: Path, version: str, target: str, texts: list[Member], time: int) -> Path:
    """Write a wheel whose installation gives the command ``kurosabi``."""
    tag = f"py3-none-{WHEELS[target]}"
    info, scripts = f"kurosabi-{version}.dist-info", f"kurosabi-{version}.data/scripts"
    description = next(text.content.decode() for text in texts if text.name == "README.md")
    metadata = f"Metadata-Version: 2.1\nName: kurosabi\nVersion: {version}\nSummary: A USI shogi engine\n"
    metadata += f"License: MIT OR Apache-2.0\nDescription-Content-Type: text/markdown\n\n{description}"
    tags = "".join(f"Tag: py3-none-{system}\n" for system in WHEELS[target].split("."))
    members = [
        Member(f"{scripts}/{program.name}", program.read_bytes(), is_program=True),
        Member(f"{info}/METADATA", metadata.encode()),
        Member(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: kurosabi\nRoot-Is-Purelib: false\n{tags}".encode()),
        *(Member(f"{info}/licenses/{text.name}", text.content) for text in texts if text.name.startswith("LICENSE")),
    ]
    record = "".join(f"{member.name},sha256={_digest(member.content)},{len(member.content)}\n" for member in members)
    members.append(Member(f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode()))
    return write_archive(out / f"kurosabi-{version}-{tag}.whl", "", members, time)


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def _manifest(root: Path, package: Path) -> dict[str, object]:
    """What ShogiHome reads: the engine's own answer to ``usi``, and the presets."""
    usi = ["node", package / "usi.js"]
    lines = subprocess.run(usi, input="usi\n", capture_output=True, text=True, check=True).stdout.splitlines()
    named = {line.split()[1]: line.split(maxsplit=2)[2] for line in lines if line.startswith("id ")}
    options = [_option(line.split()) for line in lines if line.startswith("option ")]
    presets = json.loads((root / "src/web/presets.json").read_text(encoding="utf-8"))
    return {"abi": "shogihome-wasm-engine/1", "module": "kurosabi.js", **named, "options": options, "presets": presets}


def _option(words: list[str]) -> dict[str, object]:
    """An option line of USI; names and values are single words."""
    option: dict[str, object] = {"name": words[2], "type": words[4]}
    for name, value in zip(words[5::2], words[6::2], strict=True):
        if name == "var":
            option["vars"] = [*option.get("vars", []), value]  # type: ignore[misc]
        elif words[4] == "spin":
            option[name] = int(value)
        else:
            option[name] = "" if value == "<empty>" else value
    return option


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
