/**
 * Measures what cells mean: `npm run bench:meaning -- [SEED] [LISTS] [ROWS]` draws lists of parts as makers number and suppliers write them
 * (meaning/schemes.ts, meaning/words.ts), plants each kind of cell that does not say what it means in 0.1 to 100 % of their rows, reads them
 * as `check` does, and says how many were found, missed, and how many rows without the kind became something else than they mean. A kind is
 * found when its row is left out or its file is asked about, or when it is accepted as it is meant. To meaning-results.md.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawing } from './meaning/draw.ts';
import { KINDS } from './meaning/kinds.ts';
import { drawList } from './meaning/list.ts';
import { measure, nothing, type Tally } from './meaning/measure.ts';
import { SCHEMES } from './meaning/schemes.ts';
import { LANGUAGES } from './meaning/words.ts';

const [seed = 1, lists = 12, rows = 1000] = process.argv.slice(2).map(Number);
if (![seed, lists, rows].every((given) => Number.isSafeInteger(given) && given > 0)) {
  throw new Error('SEED, LISTS and ROWS are whole numbers above 0: npm run bench:meaning -- 1 12 1000');
}
const draw = drawing(seed);
const folder = mkdtempSync(join(tmpdir(), 'offerline-meaning-'));

const percent = (part: number, whole: number, digits: number) =>
  whole === 0 ? '–' : `${((part / whole) * 100).toFixed(digits)} %`;
const lineOf = (name: string, share: string, tally: Tally) =>
  `| ${name} | ${share} | ${tally.planted} | ${percent(tally.found, tally.planted, 2)} | ${tally.planted - tally.found} | ${tally.falseAlarms} of ${tally.others} | ${percent(tally.falseAlarms, tally.others, 3)} | ${tally.asked} of ${tally.lists} |`;

try {
  const table: string[] = [];
  const examples: string[] = [];
  const all = nothing();
  const note = (name: string, share: string, tally: Tally) => {
    table.push(lineOf(name, share, tally));
    process.stderr.write(`${table.at(-1)}\n`);
    examples.push(...tally.examples.map((example) => `${name}, ${share}: ${example}`));
    for (const key of ['lists', 'planted', 'found', 'others', 'falseAlarms', 'asked'] as const) all[key] += tally[key];
  };
  const alone = nothing();
  for (const scheme of SCHEMES) await measure(drawList(rows, draw, scheme), null, draw, folder, alone);
  note('nothing planted, one maker', '0', alone);
  const mixed = nothing();
  for (let at = 0; at < lists * 10; at += 1) await measure(drawList(rows, draw), null, draw, folder, mixed);
  note('nothing planted, several makers', '0', mixed);
  for (const kind of KINDS) {
    for (const share of kind.shares) {
      const tally = nothing();
      for (let at = 0; at < lists; at += 1) await measure(drawList(rows, draw), { kind, share }, draw, folder, tally);
      note(kind.name, `${share * 100} %`, tally);
    }
  }
  note('all', '', { ...all, examples: [] });
  const page = [
    '# What cells mean',
    '',
    `\`npm run bench:meaning -- ${seed} ${lists} ${rows}\`: lists of up to ${rows} rows, ${SCHEMES.length} numbering schemes, ${LANGUAGES.length} languages.`,
    'A row is a false alarm when nothing was planted in it and it does not go live as it is meant.',
    '',
    '| planted | in rows | planted rows | found | missed | false alarms | share | lists asked about |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...table,
    '',
  ].join('\n');
  writeFileSync(new URL('meaning-results.md', import.meta.url), page);
  process.stdout.write(`${page}\n${examples.join('\n')}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
