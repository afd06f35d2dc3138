# SPDX-License-Identifier: Apache-2.0
"""What the suites share: measuring in turns, results, peers, the machine, plots, the document."""
