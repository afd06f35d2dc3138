# SPDX-License-Identifier: Apache-2.0
"""Replacing a file whole, at each level of durability (none: nothing is synced; data: the file; full: the file and its
directory) and for several sizes, inside one process; then as a process, and 64 MiB through it. The floor is the bare
system calls of what holdfast promises, with no lock, no look at the old file and no hash: the new file and the old one
exchange their names, and the displaced one is removed, so that a change that somebody else made meanwhile can be seen
and kept. A plain rename over the old file, which loses such a change, stands beside; ext4 begins to write out the data of
a file that is renamed over another one, and not of one that is exchanged, so unsynced it is the slower of the two."""

from frame import measure
from frame.result import Comparison

FLOOR, RENAME = "bare calls, exchange", "bare calls, rename"
SIZES = {1024: "1 KiB", 65536: "64 KiB", 1048576: "1 MiB"}
PEERS = {  # by level: name, package, script words
    "none": [("npm: write-file-atomic, fsync off", "write-file-atomic", "nosync"), ("npm: atomically, fsync off", "atomically",
                                                                                   "nosync")],
    "data": [("npm: write-file-atomic", "write-file-atomic", "sync"), ("npm: atomically", "atomically", "sync")],
    "full": [("python: atomicwrites", "python3-atomicwrites", None)],
}


def run(bench):
    for size, word in SIZES.items():
        for level in ("none", "data", "full"):
            if not bench.quick or size == 1024 or level == "none":
                yield replacing(bench, level, size, word)
    yield from as_a_process(bench)
    yield from streaming(bench)


def replacing(bench, level, size, word):
    rounds, seconds = bench.pick((60, 6), (4, 1))
    batch = 10 if level == "none" else 2
    with bench.place() as place:
        def driver(who):
            (place / who).mkdir()
            return [bench.drivers / "hf_bench_files", place / who, level, size, who, batch]

        contestants = {"holdfast": driver("ours"), FLOOR: driver("exchange"), RENAME: driver("rename")}
        for name, package, sync in PEERS[level]:
            if bench.peers.has(package):
                target = place / package
                contestants[name] = bench.peer("replace.js", package, sync, target, size, batch) if sync else \
                    bench.peer("replace.py", target, size, batch)
        runs = measure.turns(rounds, contestants, seconds)
    table = Comparison(f"replace {word}, {level}", "us", plot="replace" if level != "data" else None)
    table.ours("holdfast", runs["holdfast"].values, wrong=runs["holdfast"].wrong)
    table.floor(FLOOR, runs[FLOOR].values, wrong=runs[FLOOR].wrong)
    table.beside(RENAME, runs[RENAME].values, wrong=runs[RENAME].wrong, note="promises less")
    for name, package, _ in PEERS[level]:
        table.peer_of(runs, name, bench.peers.why_not(package))
    if size == 1024:
        # The contract was written beside a loop that renames; the stricter one, with the same promises, is shown with it.
        table.target("holdfast", "<=", 1.15, RENAME, row="replace", label=f"{level}, of a rename")
        table.target("holdfast", "<=", 1.15, FLOOR, row="replace", label=f"{level}, of an exchange")
    return table


def as_a_process(bench):
    rounds, seconds = bench.pick((200, 8), (10, 2))
    with bench.place() as place:
        for name in "ab":
            (place / name).write_bytes(name.encode() * 1024)

        def twice(line):  # two contents in turn, so that every write is one
            return ["sh", "-c", line.replace("{}", str(place / "a")) + "\n" + line.replace("{}", str(place / "b"))]

        for level, sync in (("none", ""), ("full", f" && sync {place}/tmp")):
            after = f" && sync {place}" if sync else ""
            contestants = {
                "holdfast write": twice(f"{bench.holdfast} write --durability {level} --from {{}} {place}/ours-{level}"),
                "cp, mv": twice(f"cp {{}} {place}/tmp{sync} && mv {place}/tmp {place}/cp-{level}{after}"),
            }
            left = {"holdfast write": place / f"ours-{level}", "cp, mv": place / f"cp-{level}", "sponge": place / "sponge"}
            if not sync and bench.peers.has("moreutils"):
                contestants["sponge"] = twice(f"sponge {place}/sponge <{{}}")
            runs = measure.commands(bench, rounds, contestants, seconds)
            for name, done in runs.items():
                done.check(measure.holds(left[name], b"b" * 1024), "wrong content")
            table = Comparison(f"two writes of 1 KiB from a shell, {level}", "us",
                               about="cp and mv, with `sync` of file and directory for full, look at nothing and keep nothing.")
            table.ours("holdfast write", runs["holdfast write"].values, wrong=runs["holdfast write"].wrong)
            table.peer("cp, mv", runs["cp, mv"].values, wrong=runs["cp, mv"].wrong)
            if not sync:  # it syncs nothing
                table.peer_of(runs, "sponge", bench.peers.why_not("moreutils"), note="writes into the file itself")
            yield table.target("holdfast write", "<=", 1.3, "cp, mv")


def streaming(bench):
    size = bench.pick(64, 8)
    with bench.place() as place:
        big = place / "big"
        big.write_bytes(bytes(range(256)) * (size * 4096))

        def line(words, target):
            return ["sh", "-c", f"rm -f {place}/{target}; exec {words}"]

        runs = measure.commands(bench, bench.pick(5, 3), {
            "from": line(f"{bench.holdfast} write --durability none --from {big} {place}/from", "from"),
            "made": line(f"{bench.holdfast} write --durability none {place}/made -- cat {big}", "made"),
            "cp": line(f"cp --reflink=never {big} {place}/cp", "cp"),
            "floor": line(f"{bench.floor} copy {big} {place}/floor", "floor"),
        })
        # Of a program that was just written the kernel maps large pieces, needed or not: those are not its memory.
        read = measure.commands(bench, 3, {
            "from": line(f"{bench.read_from_disk} write --durability none --from {big} {place}/from", "from"),
            "made": line(f"{bench.read_from_disk} write --durability none {place}/made -- cat {big}", "made")})
        for name, done in runs.items():
            done.check(measure.holds(place / name, big.read_bytes()), "wrong content")
        names = {"from": "holdfast write --from", "made": "holdfast write -- cat"}
        table = Comparison(f"write {size} MiB, none", "us", about="Ours hashes what it writes.")
        memory = Comparison(f"write {size} MiB: peak of memory", "KiB")
        for key, name in names.items():
            table.ours(name, runs[key].values, wrong=runs[key].wrong)
            memory.ours(name, [read[key].peak_kib]).target(name, "<=", 8192)
        table.floor("copy_file_range, rename", runs["floor"].values, wrong=runs["floor"].wrong)
        table.peer("cp", runs["cp"].values, wrong=runs["cp"].wrong)
        memory.peer("cp", [runs["cp"].peak_kib])
        yield table
        yield memory
