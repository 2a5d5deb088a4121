"""Builds the library of the package with Swift and puts it into the wheel.

On Linux the library is linked statically: a machine that installs the wheel needs no Swift. It exports only
`tupelo_*`, and it stays loaded (`-z nodelete`), because threads of Dispatch outlive a `dlclose`. On macOS it is the
library of a plain build, which takes Swift and BLAS from the system, and the wheel also has the library of spans, which
systems before macOS 26 lack; no wheel for macOS has been tried. The build has a
separate folder, `.build/wheel`: its flags differ from those of a plain build, and in one folder each build would
compile everything again after the other. A build leaves `.build/wheel` (130 MB), `Package.resolved` and
`Sources/Python/__pycache__` in the checkout, which git ignores.

Two environment variables change the build. `TUPELO_LIBRARY` names a library to pack instead. On Linux, `TUPELO_TRAITS`
names package traits that replace `WithoutLocales` and `PlainBLAS`, which make the wheel small. Without `PlainBLAS` the
library contains OpenBLAS: the wheel is twice as large, and dense networks of 2048 train twice as fast. Their weights
then have the bits of `tupelo train` on this machine.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PRODUCT = "tupelo_c"
TRAITS = "" if sys.platform == "darwin" else os.environ.get("TUPELO_TRAITS", "WithoutLocales,PlainBLAS")
SUFFIX = ".dylib" if sys.platform == "darwin" else ".so"


class SwiftBuildHook(BuildHookInterface):
    """Compiles `libtupelo_c` for a wheel; an editable install uses the library of `swift build` in the checkout."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        if version == "editable":
            self.app.display_info(
                f"tupelo: an editable install loads .build/release of the checkout: swift build -c release --product "
                f"{PRODUCT}"
            )
            return
        library = self.library()
        build_data["pure_python"] = False
        # The library does not depend on Python's version: one wheel works with every CPython and PyPy.
        build_data["tag"] = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["force_include"][str(library)] = f"tupelo/lib{PRODUCT}{SUFFIX}"
        for path in self.spans(library):
            build_data["force_include"][str(path)] = f"tupelo/{path.name}"
        # `Trainer("quickstart")` finds the configurations in the package.
        for file in sorted((self.package()[0] / "configs").glob("*.yaml")):
            build_data["force_include"][str(file)] = f"tupelo/configs/{file.name}"

    def library(self) -> Path:
        """The path of the library to pack: `TUPELO_LIBRARY` if it is set, otherwise a new build."""
        given = os.environ.get("TUPELO_LIBRARY")
        if given:
            path = Path(given).resolve()
            if not path.is_file():
                sys.exit(f"tupelo: TUPELO_LIBRARY is {given}, and there is no such file")
            return path
        root, scratch = self.package()
        if shutil.which("swift") is None:
            sys.exit(
                "tupelo: there are wheels for Linux with glibc 2.34 or newer (x86-64, arm64) and for macOS 13 (arm64); "
                "elsewhere the package is compiled, and needs Swift 6.3: https://www.swift.org/install"
            )
        command = [
            "swift", "build", "-c", "release", "--product", PRODUCT, "--package-path", str(root),
            "--scratch-path", str(scratch), *self.flags(scratch),
        ]  # fmt: skip
        if subprocess.run(command, env=self.environment(root)).returncode:
            sys.exit(f"tupelo: swift build failed: {' '.join(command)}")
        return scratch / "release" / f"lib{PRODUCT}{SUFFIX}"

    def spans(self, library: Path) -> list[Path]:
        """The library of spans, which comes with Xcode and not with macOS before 26, if the library needs it."""
        if sys.platform != "darwin":
            return []
        name = "libswiftCompatibilitySpan.dylib"
        needed = subprocess.run(["otool", "-L", library], capture_output=True, text=True, check=True).stdout
        if name not in needed:
            return []
        compiler = subprocess.run(["xcrun", "--find", "swiftc"], capture_output=True, text=True, check=True).stdout
        found = sorted(Path(compiler.strip()).resolve().parent.parent.glob(f"lib/swift-*/macosx/{name}"))
        if not found:
            sys.exit(f"tupelo: the toolchain has no {name}: choose Xcode 26 or newer with xcode-select")
        return found[-1:]

    def environment(self, root: Path) -> dict[str, str]:
        """The environment of the build.

        SwiftPM passes traits to the compiler in the order of a hash table. Without an equal order in each build, a
        second build compiles everything again. A trait cannot take a library from the linker: pkg-config must name
        none.
        """
        result = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
        if "PlainBLAS" in TRAITS.split(","):
            paths = [str(root / "Sources/Python/PlainBLAS"), result.get("PKG_CONFIG_PATH", "")]
            result["PKG_CONFIG_PATH"] = os.pathsep.join(path for path in paths if path)
        return result

    def package(self) -> tuple[Path, Path]:
        """The folder of Package.swift, in a source distribution or in a checkout, and the folder to build in."""
        here = Path(self.root)
        for root in (here / "swift", here.parent.parent):
            if (root / "Package.swift").is_file():
                return root, root / ".build" / "wheel"
        sys.exit(f"tupelo: there is no Package.swift in {here}/swift or two folders above {here}: build in a checkout")

    def flags(self, scratch: Path) -> list[str]:
        if sys.platform == "darwin":
            return ["-Xlinker", "-rpath", "-Xlinker", "@loader_path"]
        # Older systems have an older libstdc++, so the wheel contains it. In this folder the linker finds only the
        # static library.
        clang = Path(shutil.which("swift") or "").resolve().with_name("clang")
        found = subprocess.run([clang, "-print-file-name=libstdc++.a"], capture_output=True, text=True).stdout.strip()
        if not Path(found).is_absolute():
            sys.exit("tupelo: libstdc++.a is not installed: apt-get install libstdc++-12-dev")
        libraries = scratch / "libraries"
        libraries.mkdir(parents=True, exist_ok=True)
        link = libraries / "libstdc++.a"
        link.unlink(missing_ok=True)
        link.symlink_to(found)
        traits = ["--traits", TRAITS] if TRAITS else []
        # SwiftPM passes -static-stdlib only to programs, so the compiler gets it directly.
        linker = [f"-L{libraries}", f"--version-script={Path(self.root) / 'exports.map'}", "-z", "nodelete", "-s"]
        return [
            *traits, "--static-swift-stdlib", "-Xswiftc", "-static-stdlib",
            *(word for option in linker for word in ("-Xlinker", option)),
        ]  # fmt: skip
