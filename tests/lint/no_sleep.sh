#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# A test never sleeps to win a race: it is slow when it works and wrong when the machine is busy. Time in a
# test is a fake Clock; another process is waited for by a pipe or a lock.
. "$(dirname -- "$0")/lib.sh"

tree -name '*_test.cc' | code no_sleep |
  grep -E '(^|[^A-Za-z0-9_])(sleep_for|sleep_until|usleep|nanosleep|clock_nanosleep|sleep)[ ]*\(' |
  report 'a test sleeps'
verdict
