// Puts generated changes upon the rows before them in a process of its own: `node bench/changes/put.ts FOLDER CHANGES`.
import { join } from 'node:path';
import { putChanges } from '../../src/compose/changes/put-changes.ts';
import { BASE, CHANGES, COLUMNS, RESULT } from './generate.ts';

const [folder = '', changes] = process.argv.slice(2);
const { set, counts } = await putChanges({
  base: { path: join(folder, BASE), columns: COLUMNS },
  changes: join(folder, CHANGES),
  keys: COLUMNS,
  lines: Number(changes) + 1,
  starts: [],
  path: join(folder, RESULT),
});
console.log(set + counts.carried);
