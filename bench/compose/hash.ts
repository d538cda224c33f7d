// Prints the seconds that hashing everything takes which composing reads and writes: `node bench/compose/hash.ts FOLDER`.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../read/measure.ts';

const [folder = ''] = process.argv.slice(2);
const CHUNK = 256 * 1024;
const files = readdirSync(folder).filter((file) => /^(feed-\d+\.tsv|upload|index)$/.test(file));

/** Reading is not counted: whoever composes reads and writes anyway. */
function hashAll(): number {
  let milliseconds = 0;
  for (const name of files) {
    const bytes = readFileSync(join(folder, name));
    const started = performance.now();
    const hash = createHash('sha256');
    for (let at = 0; at < bytes.length; at += CHUNK) hash.update(bytes.subarray(at, at + CHUNK));
    hash.digest();
    milliseconds += performance.now() - started;
  }
  return milliseconds / 1000;
}

// Other work of the machine disturbs so short a time easily.
console.log(median([hashAll(), hashAll(), hashAll()]));
