#!/usr/bin/env python3
"""Builds what players download: an archive for each system, and their checksums.

    python3 scripts/release
    python3 scripts/release --target windows-x86-64 --out target/release-archives
    python3 scripts/release --check --tag v0.1.0      what must hold before it; nothing is built or published

All targets are built on one Linux machine, by Rust's cross compilers, with Rust's own linker and for Windows with zig.
What is needed besides rustup and Python comes from the registries: ``rustup target add``, and ``cargo-zigbuild`` and
``ziglang`` in an environment under the output folder; the module for pages, which the programs put into theirs, takes
Node.js and Binaryen.  The programs are guided by a profile that is taken first.  The
same commit, built by the same Rust on x86-64 Linux, gives the same bytes in whatever folder.
"""

import argparse
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from archives import Member, write_archive, write_checksums
from builds import TARGETS, Builder
from checklist import notes, points, version
from commands import BuildError
from documents import documents, readme
from licences import third_party_licences
from web import WHEELS, write_web, write_wheel

ROOT = Path(__file__).resolve().parent.parent.parent


def commit_time() -> int:
    """When the commit was made, in seconds since 1970: the time that all files of the archives bear."""
    log = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True)
    return int(log.stdout) if log.returncode == 0 else 0


def main() -> int:
    """Build what is asked for; 0 when all of it was built."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--target", action="append", choices=[*TARGETS, "web"], help="build only this one; may be given several times"
    )
    parser.add_argument("--quick", action="store_true", help="build the module for pages for a trial, not for speed")
    parser.add_argument("--cpu", help="build for processors of this kind, such as native, and no others")
    parser.add_argument("--out", type=Path, default=ROOT / "target/dist", help="folder of the archives (target/dist)")
    parser.add_argument(
        "--check", action="store_true", help="walk the list of what must hold before a release, and end"
    )
    parser.add_argument("--tag", metavar="vX.Y.Z", help="with --check: the tag that is to be made, or was")
    parser.add_argument("--notes", action="store_true", help="print what the changelog says of this version, and end")
    options = parser.parse_args()
    if options.notes:
        print(notes(ROOT), end="")
        return 0
    if options.check:
        walked = list(points(ROOT, options.tag, ROOT / "target" / "release" / "kurosabi"))
        for point in walked:
            print(f"{'ok     ' if point.holds else 'MISSING'} {point.name}: {point.found}")
        return 0 if all(point.holds for point in walked) else 1
    out = options.out.absolute()
    out.mkdir(parents=True, exist_ok=True)
    time = commit_time()
    try:
        builder = Builder(ROOT, out / "build", time, quick=options.quick)
        runs_here = next(target for target in TARGETS.values() if target.runs_here)
        written = []
        here = [name for name, target in TARGETS.items() if target.can_be_built_here]
        for name in options.target or [*here, "web"]:
            if name == "web":
                written += write_web(ROOT, out, builder.web, version(ROOT), time)
                continue
            target = TARGETS[name]
            if options.cpu:
                target = replace(target, cpu=options.cpu)
            program = builder.build(target)
            folder = f"kurosabi-{version(ROOT)}-{name}"
            members = [
                Member(f"kurosabi{target.suffix}", program.read_bytes(), is_program=True),
                *readme(ROOT),
                *(Member(file, (ROOT / file).read_bytes()) for file in ("LICENSE-APACHE", "LICENSE-MIT")),
                Member("LICENSES-OF-LIBRARIES.txt", third_party_licences(ROOT, target.triple).encode()),
                *(documents(program if target.runs_here else builder.build(runs_here)) if target.has_man else ()),
            ]
            written.append(write_archive(out / f"{folder}{target.archive}", folder, members, time))
            if name in WHEELS:
                written.append(write_wheel(out, program, version(ROOT), name, members, time))
        print(write_checksums(out, written).read_text(), end="")
    except BuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
