// SPDX-License-Identifier: Apache-2.0
//
// lock_pair.js FILE BATCH: proper-lockfile, lock and unlock of a free lock, in turns.
"use strict";
const lockfile = require("proper-lockfile");
const { takeTurns } = require("./turns.js");

const [file, batch] = process.argv.slice(2);
takeTurns(Number(batch), async () => {
  const release = await lockfile.lock(file, { realpath: false });
  await release();
});
