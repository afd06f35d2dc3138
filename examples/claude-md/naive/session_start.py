#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The hook at the start of a session, by hand: notes its id in a block of CLAUDE.md. Input: the host's JSON."""
import json
import sys

import claude_md

event = json.load(sys.stdin)
claude_md.put_block(claude_md.TARGET, "session", f"Resume with: claude --resume {event['session_id']}")
