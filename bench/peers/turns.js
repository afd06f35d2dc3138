// SPDX-License-Identifier: Apache-2.0
//
// Taking turns, as drivers/turns.h tells it, for peers that are modules of npm. NODE_PATH says where they are.
"use strict";
const readline = require("node:readline");

async function takeTurns(batch, act) {
  console.log("ready");
  for await (const _ of readline.createInterface({ input: process.stdin })) {
    const began = process.hrtime.bigint();
    for (let i = 0; i < batch; ++i) await act();
    const microseconds = Number(process.hrtime.bigint() - began) / 1e3;
    console.log((microseconds / batch).toFixed(3));
  }
}

module.exports = { takeTurns };
