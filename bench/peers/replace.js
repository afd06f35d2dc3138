// SPDX-License-Identifier: Apache-2.0
//
// replace.js MODULE sync|nosync FILE BYTES BATCH: write-file-atomic or atomically, in turns. Neither syncs the directory.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { takeTurns } = require("./turns.js");

const [module_, sync, file, bytes, batch] = process.argv.slice(2);

async function writer() {
  if (module_ === "write-file-atomic") {
    const write = require("write-file-atomic");
    return (content) => write(file, content, { fsync: sync === "sync" });
  }
  const root = path.join(process.env.NODE_PATH, "atomically");
  const entry = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")).exports;
  const { writeFile } = await import(pathToFileURL(path.join(root, entry.default || entry)).href);
  return (content) => writeFile(file, content, { fsync: sync === "sync", fsyncWait: sync === "sync" });
}

async function main() {
  const write = await writer();
  let count = 0;
  let content = "";
  await takeTurns(Number(batch), () => {
    ++count;
    content = String(10 ** 9 + count) + String.fromCharCode(97 + (count % 26)).repeat(Number(bytes) - 10);
    return write(content);
  });
  if (fs.readFileSync(file, "utf8") !== content) throw new Error("wrong content");
}

main().catch((error) => {
  console.error(String(error));
  process.exit(1);
});
