# SPDX-License-Identifier: Apache-2.0
"""What holdfast is held to: the rows of the speed contract. A target of a suite names its row by the key."""

ROWS = {
    "lock": ("`holdfast lock x -- true`", "≤ 1.0 × `flock f true`"),
    "run": ("`holdfast run -- true`", "≤ 2.0 × `timeout 10 true`"),
    "library": ("library acquire + release, uncontended, traces buffered",
                "≤ 2.6 × open, flock, close with a cached ledger, ≤ 5 × with open per operation"),
    "contended": ("contended, 8 processes",
                  "≥ 0.8 × blocking flock's throughput, Jain fairness ≥ 0.99, idle waiters use no processor"),
    "recovery": ("holder killed, next grant", "< 1 ms beyond the spawn"),
    "replace": ("replace 1 KiB, each level", "≤ 1.15 × the raw system-call sequence"),
    "append": ("journal append, one writer; 16 durable writers", "≥ 2.5 × SQLite WAL NORMAL; ≥ 1.5 × SQLite FULL"),
    "count": ("count by type over 10 M events", "≥ 30 × jq without the index, < 50 ms with it"),
    "gc": ("gc of 100 000 directories", "≤ 1.2 × `rm -rf`"),
    "sessions": ("1 000 idle supervised sessions", "≤ 1 MiB each (PSS), no processor time"),
    "etcd": ("etcd lock + unlock, one command", "≤ 0.5 × `etcdctl lock`"),
}

NOT_BUILT = {"etcd": "not built yet: there is no etcd backend to measure"}
