/**
 * Measures writing 50,000 rows with their mistakes marked, one comment each: `npm run bench:marked`. offerline finds the rows in a
 * delivery of 100,000 first; the other writers only write the same cells and comments. Each contender is a whole process.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { measure } from './read/measure.ts';

const ROWS = 100_000;
const folder = fileURLToPath(new URL('./tmp', import.meta.url));
const script = (name: string) => fileURLToPath(new URL(`./marked/${name}`, import.meta.url));

mkdirSync(folder, { recursive: true });
try {
  const lines = Array.from({ length: ROWS }, (_, at) => [
    at % 2 === 0 ? 'BOSCH' : '',
    `0${986_424_797 + at}`,
    ...Array.from({ length: 8 }, (_cell, column) => `text ${column} of row ${at}`),
  ]);
  const header = ['brand', 'oem', 'name', ...Array.from({ length: 7 }, (_, at) => `column ${at}`)];
  writeFileSync(`${folder}/list.csv`, [header, ...lines].map((cells) => cells.join(';')).join('\n'));
  console.log('| `npm run bench:marked` | seconds | peak, MB |\n| --- | ---: | ---: |');
  for (const name of ['offerline', 'exceljs']) {
    const { seconds, peakMb } = await measure([process.execPath, script(`${name}.ts`), folder], folder);
    console.log(`| ${name} | ${seconds.toFixed(1)} | ${Math.round(peakMb)} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
