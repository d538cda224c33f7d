// Joins the generated files, or reads them as the delivery of a feed, in a process of its own: `node bench/join/offerline.ts FOLDER join|read`.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { READING_DEFAULTS } from '../../src/config/schema/defaults.ts';
import { readSettings } from '../../src/config/schema/feed-settings.ts';
import { detect } from '../../src/detect/detect.ts';
import { indexPartner, withoutRow } from '../../src/jobs/read/joined/index-partner.ts';
import { openJoinKernel } from '../../src/jobs/read/joined/kernel/join-kernel.ts';
import { secondFor } from '../../src/jobs/read/joined/pool-for.ts';
import { writeJoined } from '../../src/jobs/read/joined/write-joined.ts';
import { cellDialect } from '../../src/jobs/read/joined/written-cells.ts';
import { readFile } from '../../src/jobs/read/read.ts';
import { LIST, STOCK } from './generate.ts';

/** Files of a bench are as large as they are. */
const NO_LIMIT = { most: Infinity, tooLarge: () => new Error('No file is larger.') };
const [folder = '', what] = process.argv.slice(2);
const dialect = { charset: 'auto', delimiter: 'auto', header: 'auto' } as const;
const named = { isEntry: false, brand: [], oem: [], columns: null, dialect };
const files = [
  { role: 'list', pattern: LIST, ...named },
  { role: 'stock', pattern: STOCK, ...named },
];
const settings = { ...readSettings(READING_DEFAULTS), join: { on: ['oem' as const], files } };

if (what === 'read') {
  const target = join(folder, 'read');
  mkdirSync(target);
  const { joined, validation } = await readFile({
    path: join(folder, 'delivery.zip'),
    name: 'delivery.zip',
    folder: target,
    settings,
  });
  console.log(`${validation?.counts.read} ${joined?.[0]?.joined}`);
} else {
  const sizes = [LIST, STOCK].map((name) => statSync(join(folder, name)).size);
  await using kernel = await openJoinKernel(secondFor(sizes[0]! + sizes[1]!));
  const work = { settings, signal: undefined, kernel };
  const [list, stock] = await Promise.all(
    [LIST, STOCK].map(async (name) => ({
      path: join(folder, name),
      detection: await detect(join(folder, name), settings),
    })),
  );
  const source = {
    ...stock!,
    role: 'stock',
    file: STOCK,
    charset: stock!.detection.charset,
    notes: [],
    parts: [],
    places: { oem: 0, brand: null },
    columns: [
      { place: 1, name: 'Bestand' },
      { place: 2, name: 'Preis' },
    ],
  };
  const goal = { target: cellDialect(list!.detection), spill: join(folder, 'cells') };
  using partner = await indexPartner(source, goal, work);
  const places = { oem: 1, brand: null };
  await writeJoined({ ...list!, name: LIST, parts: [], places }, [partner], join(folder, 'joined.csv'), {
    ...work,
    limit: NO_LIMIT,
  });
  await withoutRow(partner, work);
  const { joined, withoutPartner } = partner.account;
  console.log(`${joined + withoutPartner} ${joined}`);
}
