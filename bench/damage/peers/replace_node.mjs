// SPDX-License-Identifier: Apache-2.0
// write-file-atomic and atomically as their READMEs show them: FILE gets the content of NEW.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [library, file, source] = process.argv.slice(2);
const modules = process.env.DAMAGE_NODE_MODULES;
const content = readFileSync(source, 'utf8');
if (library === 'atomically') {
  const { writeFileSync } = await import(pathToFileURL(`${modules}/atomically/dist/index.js`));
  writeFileSync(file, content);
} else {
  createRequire(import.meta.url)(`${modules}/${library}`).sync(file, content);
}
