// SPDX-License-Identifier: Apache-2.0
// proper-lockfile as its README shows it, with its defaults for `stale` and `update`: LOCK WAIT CMD…
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const [lock, wait, ...command] = process.argv.slice(2);
const lockfile = createRequire(import.meta.url)(`${process.env.DAMAGE_NODE_MODULES}/proper-lockfile`);
let release;
try {
  const retries = { retries: Number(wait) * 20, factor: 1, minTimeout: 50, maxTimeout: 50 };
  release = await lockfile.lock(lock, { realpath: false, retries });
} catch (error) {
  console.error(error.message);
  process.exit(75);
}
const code = await new Promise((done) => {
  spawn(command[0], command.slice(1), { stdio: 'inherit' }).on('exit', (status, signal) => done(signal ? 137 : status));
});
await release();
process.exit(code);
