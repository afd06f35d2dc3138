#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The source: every open issue, one JSON object per line. Which of them are worked on is in loop.toml.
# A list that could not be had is 69, and never an empty list.
. "$(dirname -- "$0")/forge.sh"
ask GET /issues || exit 69
field '.[] | select(.state == "open") | del(.comments) | tojson'
