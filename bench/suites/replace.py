# SPDX-License-Identifier: Apache-2.0
"""Replacing a file whole, at each level of durability (none: nothing is synced; data: the file; full: the file and its
directory) and for several sizes, inside one process; then as a process, and 64 MiB through it. The floor is the bare
system calls of the same protocol: no lock, no look at the old file, no hash."""

from frame import measure
from frame.result import Comparison

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

        contestants = {"holdfast": driver("ours"), "bare calls": driver("raw")}
        for name, package, sync in PEERS[level]:
            if bench.peers.has(package):
                target = place / package
                contestants[name] = bench.peer("replace.js", package, sync, target, size, batch) if sync else \
                    bench.peer("replace.py", target, size, batch)
        runs = measure.turns(rounds, contestants, seconds)
    table = Comparison(f"replace {word}, {level}", "us", plot="replace" if level != "data" else None)
    table.ours("holdfast", runs["holdfast"].values, wrong=runs["holdfast"].wrong)
    table.floor("bare calls", runs["bare calls"].values)
    for name, package, _ in PEERS[level]:
        if name in runs:
            table.peer(name, runs[name].values, wrong=runs[name].wrong)
        else:
            table.absent(name, bench.peers.why_not(package))
    if size == 1024:
        table.target("holdfast", "<=", 1.15, "bare calls", row="replace", label=level)
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
                "cp, mv": twice(f"cp {{}} {place}/tmp{sync} && mv {place}/tmp {place}/peer{after}"),
            }
            if not sync and bench.peers.has("moreutils"):
                contestants["sponge"] = twice(f"sponge {place}/sponge <{{}}")
            runs = measure.commands(bench, rounds, contestants, seconds)
            measure.expect((place / f"ours-{level}").read_bytes() == b"b" * 1024, "wrong content")
            table = Comparison(f"two writes of 1 KiB from a shell, {level}", "us",
                               about="cp and mv, with `sync` of file and directory for full, look at nothing and keep nothing.")
            table.ours("holdfast write", runs["holdfast write"].values, wrong=runs["holdfast write"].wrong)
            table.peer("cp, mv", runs["cp, mv"].values)
            if "sponge" in runs:
                table.peer("sponge", runs["sponge"].values, note="writes into the file itself")
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
            "cp": line(f"cp --reflink=never {big} {place}/copy", "copy"),
            "floor": [bench.floor, "copy", big, place / "floor"],
        })
        # Of a program that was just written the kernel maps large pieces, needed or not: those are not its memory.
        read = measure.commands(bench, 3, {
            "from": line(f"{bench.read_from_disk} write --durability none --from {big} {place}/from", "from"),
            "made": line(f"{bench.read_from_disk} write --durability none {place}/made -- cat {big}", "made")})
        for name in ("from", "made"):
            measure.expect((place / name).read_bytes() == big.read_bytes(), f"wrong content: {name}")
        names = {"from": "holdfast write --from", "made": "holdfast write -- cat"}
        table = Comparison(f"write {size} MiB, none", "us", about="Ours hashes what it writes.")
        memory = Comparison(f"write {size} MiB: peak of memory", "KiB")
        for key, name in names.items():
            table.ours(name, runs[key].values)
            memory.ours(name, [read[key].peak_kib]).target(name, "<=", 8192)
        table.floor("read, write, rename", runs["floor"].values)
        table.peer("cp", runs["cp"].values)
        memory.peer("cp", [runs["cp"].peak_kib])
        yield table
        yield memory
