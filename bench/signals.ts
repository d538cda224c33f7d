/**
 * What seeing prices and stock costs: `npm run bench:signals -- [MILLION ROWS]` writes a price list, reads it without and with
 * `signals`, and compares two samples of it. Times are the best of three; memory is what the process held at most above its start.
 */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { READING_DEFAULTS } from '../src/config/schema/defaults.ts';
import { readSettings } from '../src/config/schema/feed-settings.ts';
import { readFile } from '../src/jobs/read/read.ts';
import { compareSeen } from '../src/signals/compare.ts';
import { readSample } from '../src/signals/sample.ts';

const [million = '1'] = process.argv.slice(2);
const rows = Math.round(Number(million) * 1e6);
const folder = mkdtempSync(join(tmpdir(), 'offerline-bench-'));

async function writeList(path: string, factor: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('brand;oem;name;price;stock\n');
  for (let at = 0; at < rows; at += 10_000) {
    let text = '';
    for (let row = at; row < Math.min(rows, at + 10_000); row += 1) {
      const price = (((row % 5000) + 9.5) * factor).toFixed(2).replace('.', ',');
      text += `ATE;13.0460-${row}.2;Brake pads for the front axle;${price};${row % 30}\n`;
    }
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

async function best<T>(work: () => Promise<T>): Promise<{ seconds: number; result: T }> {
  let seconds = Infinity;
  let result: T | undefined;
  for (let round = 0; round < 3; round += 1) {
    const start = performance.now();
    result = await work();
    seconds = Math.min(seconds, (performance.now() - start) / 1000);
  }
  return { seconds, result: result! };
}

function read(path: string, signals: boolean) {
  const settings = readSettings(READING_DEFAULTS);
  const watched = { ...settings, signals: signals ? ({ price: 'auto', stock: 'auto' } as const) : null };
  return readFile({ path, name: 'list.csv', folder, settings: watched });
}

const print = (line: string) => process.stdout.write(`${line}\n`);

try {
  const path = join(folder, 'list.csv');
  await writeList(path, 1);
  const without = await best(() => read(path, false));
  print(`${rows} rows read without signals: ${without.seconds.toFixed(2)} s`);
  const before = process.resourceUsage().maxRSS;
  const watched = await best(() => read(path, true));
  const grown = Math.max(0, process.resourceUsage().maxRSS - before) / 1024;
  print(`with signals: ${watched.seconds.toFixed(2)} s, ${grown.toFixed(0)} MB more at most`);
  const { signals, samplePath } = watched.result.seen!;
  const older = { run: 'earlier', seen: signals, sample: await readSample(samplePath!) };
  await writeList(path, 100);
  const newer = await read(path, true);
  const compared = await best(async () => {
    const sample = await readSample(newer.seen!.samplePath!);
    return compareSeen({ seen: newer.seen!.signals, sample }, older);
  });
  const { compared: parts, findings } = compared.result;
  const codes = findings.map(({ code }) => code).join(', ');
  print(`${parts} parts compared: ${compared.seconds.toFixed(2)} s (${codes})`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
