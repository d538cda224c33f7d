// Composes generated feeds in a process of its own: `node bench/compose/offerline.ts FOLDER ROWS winner|union`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compose } from '../../src/compose/compose.ts';
import { configSchema } from '../../src/config/schema/schema.ts';
import { FEEDS } from './generate.ts';

const [folder = '', rows, tags] = process.argv.slice(2);
const columns = ['brand', 'oem', 'name', 'tags'];
const { offer } = configSchema.parse({ logins: {}, feeds: {} });
const composed = await compose({
  feeds: Array.from({ length: FEEDS }, (_, at) => {
    const unverifiedPath = join(folder, `feed-${at}.tsv`);
    const rowsPath = { sha256: readFileSync(join(folder, `feed-${at}.sha256`), 'utf8'), unverifiedPath };
    return { feed: `feed-${at}`, run: `run-${at}`, rowsPath, columns };
  }),
  offer,
  tags: tags === 'union' ? 'union' : 'winner',
  expected: Number(rows),
  uploadPath: join(folder, 'upload'),
  indexPath: join(folder, 'index'),
});
console.log(composed.rows);
