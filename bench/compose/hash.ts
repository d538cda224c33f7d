// Prints the seconds that hashing everything takes which composing reads and writes: `node bench/compose/hash.ts FOLDER`.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = ''] = process.argv.slice(2);
const CHUNK = 256 * 1024;
let milliseconds = 0;
for (const name of readdirSync(folder).filter((file) => /^(feed-\d+\.tsv|upload|index)$/.test(file))) {
  const bytes = readFileSync(join(folder, name));
  const started = performance.now();
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += CHUNK) hash.update(bytes.subarray(at, at + CHUNK));
  hash.digest();
  milliseconds += performance.now() - started;
}
console.log(milliseconds / 1000);
