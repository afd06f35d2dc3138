# SPDX-License-Identifier: Apache-2.0
"""The programs that holdfast is compared with, in a throw-away place: build/bench-peers. `python3 bench/frame/peers.py`
only fetches them.

Debian packages that the machine lacks are downloaded and unpacked there (`dpkg -x`): nothing is installed, no daemon is
started, nothing has to be root's. Modules of npm go there as well. What cannot be had is named as absent, with the
reason, in the results.
"""

import glob
import os
import pathlib
import shlex
import shutil
import subprocess

DEBIAN = ["util-linux", "liblockfile-bin", "procmail", "moreutils", "sqlite3", "python3-filelock", "python3-portalocker",
          "python3-fasteners", "python3-atomicwrites", "s6", "runit", "tini", "supervisor", "task-spooler", "bubblewrap"]
NPM = {"proper-lockfile": "4.1.2", "write-file-atomic": "7.0.1", "atomically": "2.1.1"}
PLACE = pathlib.Path(__file__).resolve().parents[2] / "build" / "bench-peers"


class Peers:
    def __init__(self, place=PLACE):
        self.place = pathlib.Path(place)
        self.root = self.place / "debian"
        self.python = "/usr/bin/python3" if os.access("/usr/bin/python3", os.X_OK) else "python3"
        self.absent = {}  # package: why
        self.versions = {}

    # ---- getting them ---------------------------------------------------------------------------------------------

    def fetch(self):
        self.root.mkdir(parents=True, exist_ok=True)
        if shutil.which("apt-get"):
            self._fetch_debian()
        for package in DEBIAN:
            version = self._debian_version(package)
            if version:
                self.versions[package] = version
            else:
                self.absent.setdefault(package, "no such Debian package here")
        self._fetch_npm()

    def _lacking(self):
        """The packages that apt would install for the peers, what they depend on included."""
        plan = simulated(DEBIAN)
        if plan is None and os.geteuid() == 0:
            run(["apt-get", "-q", "update"])
            plan = simulated(DEBIAN)
        if plan is not None:
            return plan
        found = []
        for package in DEBIAN:  # one that is not there must not hide the others
            found += [each for each in simulated([package]) or [] if each not in found]
        return found

    def _fetch_debian(self):
        for package in self._lacking():
            stamp = self.place / f"{package}.unpacked"
            if stamp.exists():
                continue
            got = run(["apt-get", "-q", "download", package], cwd=self.place)
            files = sorted(self.place.glob(f"{package}_*.deb"))
            if got.returncode != 0 or not files:
                self.absent[package] = "could not be downloaded"
                continue
            if run(["dpkg", "-x", str(files[-1]), str(self.root)]).returncode == 0:
                stamp.write_text(files[-1].name.split("_")[1] + "\n")
            for file in files:
                file.unlink()

    def _fetch_npm(self):
        if not shutil.which("npm") or not shutil.which("node"):
            self.absent.update({module: "there is no node with npm" for module in NPM})
            return
        if any(self._npm_version(module) != version for module, version in NPM.items()):
            run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(self.place),
                 *(f"{module}@{version}" for module, version in NPM.items())])
        for module in NPM:
            version = self._npm_version(module)
            if version:
                self.versions[module] = version
            else:
                self.absent[module] = "npm could not install it"

    def version(self, name):
        """Of a module of npm or a package, unpacked here or installed; None where it is not there."""
        return self._npm_version(name) if name in NPM else self._debian_version(name)

    # ---- finding them ---------------------------------------------------------------------------------------------

    def _debian_version(self, package):
        stamp = self.place / f"{package}.unpacked"
        if stamp.exists():
            return stamp.read_text().strip()
        asked = run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", package])
        words = asked.stdout.split()
        return words[1] if len(words) == 2 and words[0] == "installed" else None

    def _npm_version(self, module):
        asked = run(["node", "-p", f"require('{self.place}/node_modules/{module}/package.json').version"])
        return asked.stdout.strip() if asked.returncode == 0 else None

    def path(self):
        return ":".join([os.environ.get("PATH", ""), f"{self.root}/usr/bin", f"{self.root}/bin", f"{self.root}/usr/sbin"])

    def python_path(self):
        return f"{self.root}/usr/lib/python3/dist-packages"

    def modules(self):
        return str(self.place / "node_modules")

    def program(self, name):
        return shutil.which(name, path=self.path()) or name

    def command(self, name):
        """The words that start an unpacked program with the libraries that were unpacked beside it. They are told to the
        loader itself: a variable would slow down every other peer's start, too."""
        libraries, loader = self.libraries(), sorted(glob.glob("/lib*/ld-linux-*.so.*"))
        if not libraries or not loader or not self.is_unpacked(name):
            return [name]
        return [loader[0], "--library-path", libraries, self.program(name)]

    def is_unpacked(self, name):
        return self.program(name).startswith(str(self.root))

    def overlay(self):
        """The words that lay what was unpacked over /usr: only for a mount namespace of one's own, and only as root."""
        return ["mount", "-t", "overlay", "-o", f"ro,lowerdir={self.root}/usr:/usr", "peers", "/usr"]

    def as_installed(self, name):
        """The words that start a program which asks for itself by the path that it was built for."""
        if not self.is_unpacked(name):
            return [name]
        return ["unshare", "--mount", "--propagation", "private", "sh", "-c", f"{shlex.join(self.overlay())} && exec \"$@\"",
                "sh", name]

    def libraries(self):
        return ":".join(sorted(glob.glob(f"{self.root}/usr/lib/*-linux-gnu") + glob.glob(f"{self.root}/lib/*-linux-gnu")))

    def has(self, package):
        return package in self.versions

    def why_not(self, package):
        return self.absent.get(package, "not installed")


def simulated(packages):
    """What apt would install, or None where it knows one of them not."""
    plan = run(["apt-get", "install", "-s", "--no-install-recommends", *packages])
    lines = plan.stdout.splitlines()
    return [line.split()[1] for line in lines if line.startswith("Inst ")] if plan.returncode == 0 else None


def run(argv, **more):
    try:
        return subprocess.run(argv, capture_output=True, text=True, timeout=300, **more)
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(argv, 1, "", str(error))


if __name__ == "__main__":
    here = Peers()
    here.fetch()
    for peer, why_not in sorted(here.absent.items()):
        print(f"absent: {peer}: {why_not}")
