# SPDX-License-Identifier: Apache-2.0
"""Where what a peer does in a cell is publicly known: {fault: [(contestants, what it is, where)]}.

A cell that is not intact is printed in the document only with an entry here; report.py refuses one without. A fault of
a peer that is not publicly known does not belong into this repository: it is told to its makers.
"""

GITHUB = "https://github.com/"

KNOWN = {
    "killed_at_each_step": [
        (["shell `>`"], "the shell empties the file before the command starts",
         "POSIX, Shell Command Language, 2.7 Redirection; " + GITHUB + "jqlang/jq/issues/2152"),
        (["`set -C` lock file", "`set -C` and `kill -0`", "python filelock (soft)"],
         "a lock file that nobody removes stays", "by its nature; the documentation of filelock, SoftFileLock"),
        (["moreutils sponge"], "the end of a pipe looks the same whether its writer finished or was killed, and the "
         "status of a pipeline is that of its last command; `set -o pipefail` tells it when it is too late",
         "POSIX, Shell Command Language, 2.9.2 Pipelines"),
    ],
    "disk_full": [
        (["shell `>`"], "the old content is gone before the new is written",
         "POSIX, Shell Command Language, 2.7 Redirection"),
        (["npm write-file-atomic"], "one write, whose short count is not looked at", GITHUB + "coder/xum/pull/4282"),
        (["npm atomically"], "one write, whose short count is not looked at",
         GITHUB + "fabiospampinato/atomically/pull/18"),
    ],
    "file_system_shut_down": [
        (["shell `>`", "`jq > tmp && mv`", "`mktemp && mv`", "moreutils sponge"],
         "nothing is synced: after a rename the name may be durable before the data",
         "fsync(2); the kernel's documentation of ext4, `auto_da_alloc`"),
        (["npm write-file-atomic", "npm atomically"],
         "the file is synced, its directory is not, so the rename may be undone; nothing more is promised",
         "their READMEs, the option `fsync`: the call for the file, and no word of its directory; fsync(2)"),
    ],
    "planted_link": [
        (["shell `>`", "pid file and `kill -0`"], "a redirection follows links", "open(2); CWE-59"),
        (["`jq > tmp && mv`"], "a temporary file by a fixed name is opened through a link that waits there",
         "CWE-377, CWE-59"),
        (["moreutils sponge"], "it writes to the target of a link, not atomically", "sponge(1)"),
        (["npm write-file-atomic"], "it follows a link to its target by design",
         GITHUB + "npm/write-file-atomic/issues/5"),
        (["npm atomically"], "it follows a link to its target by design", "its README: symlinks are resolved"),
    ],
    "two_writers": [
        (["shell `>`", "`jq > tmp && mv`", "`mktemp && mv`", "moreutils sponge", "python atomicwrites",
          "npm write-file-atomic", "npm atomically"],
         "replacing in one step is no lock, and none of them promises one: who reads before the other has replaced, "
         "loses the other's change. With a lock around it (the rows below) each is as good as the lock", "rename(2)"),
        (["pid file and `kill -0`", "`set -C` and `kill -0`"],
         "between looking and writing, another one looks, too", "CWE-367"),
    ],
    "stale_lock_recovered": [
        (["`set -C` lock file", "python filelock (soft)"],
         "a lock file that nobody removes stays; it is never recovered",
         "by its nature; the documentation of filelock, SoftFileLock"),
        (["`set -C` and `kill -0`", "pid file and `kill -0`"],
         "who looks, is held up, and then removes by name, removes the other's fresh lock",
         GITHUB + "abrt/libreport/issues/345; CWE-367"),
        (["npm proper-lockfile"], "the same race, between rmdir and mkdir",
         GITHUB + "moxystudio/node-proper-lockfile/issues/121"),
    ],
    "holder_stopped": [
        (["holdfast lease and `mv`"], "a lease ends the right to write; a command that does not ask may write all the "
         "same, until it is ended", "docs/locks.md"),
        (["flock(1)", "dotlockfile", "`set -C` lock file", "`set -C` and `kill -0`", "pid file and `kill -0`",
          "python filelock", "python filelock (soft)", "python portalocker", "python fasteners"],
         "no lease: a stopped holder keeps the lock, and nobody else enters", "by their nature"),
        (["procmail lockfile"], "with an age limit the lock is removed by force, whoever holds it",
         "lockfile(1), locktimeout"),
        (["npm proper-lockfile"], "a lock that was not refreshed in time is taken; its holder is told afterwards",
         "its README, Compromised"),
    ],
    "recycled_pid": [
        (["pid file and `kill`"], "the number is all that is known", "kill(2)"),
        (["start-stop-daemon"], "the number and the program are compared; another process of the same program matches",
         "start-stop-daemon(8), the note on --pidfile"),
        (["dotlockfile"], "a lock file is valid if it holds the number of a running process", "dotlockfile(1), -l"),
        (["`set -C` lock file", "python filelock (soft)"], "a lock file that nobody removes stays",
         "by its nature; the documentation of filelock, SoftFileLock"),
        (["`set -C` and `kill -0`", "pid file and `kill -0`"],
         "any running process with that number counts as the holder", "kill(2)"),
    ],
    "children_at_deadline": [
        (["timeout -k", "tini -s -g", "supervisor"], "the process group is signalled; a daemon has left it",
         "GNU coreutils manual, timeout; the README of tini; the manual of supervisor, stopasgroup, and " + GITHUB
         + "Supervisor/supervisor/issues/1101; setsid(2)"),
        (["s6", "runit"], "they stop the process that they started, and promise no more",
         "s6-svc's documentation, -d; sv(8)"),
    ],
    "dead_liveness_daemon": [
        (["`podman ps | grep || rm -rf`", "`live=$(podman ps)` and `rm -rf`", "`live=$(podman ps)` under `set -e`"],
         "no answer, and an empty one, are read as `nothing is alive`; looking at the status helps with the first only",
         GITHUB + "chadoe/docker-cleanup-volumes/issues/3: the volumes of running containers, since `docker ps` failed"),
    ],
    "malformed_markers": [
        (["`sed '/BEGIN/,/END/d'`", "sed, if END is there", "awk and `mv`"],
         "a range whose end is missing reaches to the end of the file, or to the end of another block",
         "POSIX, sed, Addresses in sed"),
    ],
    "torn_journal_tail": [
        (["holdfast ledger"], "a damaged ledger is never written to; `ledger repair` mends it", "docs/files.md"),
        (["JSON lines by `>>`"], "the next record is glued to the torn one",
         GITHUB + "anthropics/claude-code/issues/52387"),
    ],
}


def known(fault, contestant):
    """What it is and where it is known, or None."""
    for names, what, where in KNOWN.get(fault, []):
        if contestant in names:
            return what, where
    return None
