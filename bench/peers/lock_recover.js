// SPDX-License-Identifier: Apache-2.0
//
// lock_recover.js FILE: a process holds a lock of proper-lockfile and is killed while this one waits for it. Prints the
// microseconds from the kill to the grant. A lock counts as stale after 2 s, the least that the module takes.
"use strict";
const { spawn } = require("node:child_process");
const lockfile = require("proper-lockfile");

const file = process.argv[2];
const options = { realpath: false, stale: 2000, retries: { retries: 2000, minTimeout: 10, maxTimeout: 10 } };

if (process.argv[3] === "hold") {
  lockfile.lock(file, options).then(() => console.log("held"));
  setTimeout(() => {}, 60000);
} else {
  const holder = spawn(process.execPath, [__filename, file, "hold"]);
  holder.stdout.once("data", () => {
    const killed = process.hrtime.bigint();
    holder.kill("SIGKILL");
    lockfile.lock(file, options).then((release) => {
      console.log(Number(process.hrtime.bigint() - killed) / 1e3);
      return release();
    });
  });
}
