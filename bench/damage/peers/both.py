# SPDX-License-Identifier: Apache-2.0
"""A contestant that takes part in a fault by several tasks: its cell is as bad as the worst of them."""


class Parts:
    def __init__(self, *parts):
        self.name, self.parts = parts[0].name, parts
        self.needs = tuple(need for part in parts for need in part.needs)
        self.modules = tuple(module for part in parts for module in part.modules)


def together(*tasks):
    """The contestants of all these tasks; those of one name are one."""
    by_name = {}
    for task in tasks:
        for part in task:
            by_name.setdefault(part.name, []).append(part)
    return [Parts(*parts) for parts in by_name.values()]
