// Writes the dataset of what resulted in a process of its own: `node bench/changes/compose.ts FOLDER ROWS`.
import { join } from 'node:path';
import { compose } from '../../src/compose/compose.ts';
import { configSchema } from '../../src/config/schema/schema.ts';
import { COLUMNS, RESULT } from './generate.ts';

const [folder = '', rows] = process.argv.slice(2);
const composed = await compose({
  feeds: [{ feed: 'north', run: 'run', rowsPath: join(folder, RESULT), columns: COLUMNS }],
  offer: configSchema.parse({ logins: {}, feeds: {} }).offer,
  tags: 'winner',
  expected: Number(rows),
  uploadPath: join(folder, 'upload'),
  indexPath: join(folder, 'index'),
});
console.log(composed.rows);
