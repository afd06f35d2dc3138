#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What measures is itself tested: wrong answers are seen, growth is told apart, the page says what is missed.
exec python3 -B "$(dirname -- "$0")/../../bench/frame/selftest.py"
