import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { READING_DEFAULTS } from '../../src/config/schema/defaults.ts';
import { readSettings } from '../../src/config/schema/feed-settings.ts';
import { readFile } from '../../src/jobs/read/read.ts';
import type { Draw } from './draw.ts';
import type { Kind, Written } from './kinds.ts';
import { quotedCell, type List, type Offer } from './list.ts';

/** What was found of the planted rows, and how many of the others became something else than they mean. */
export type Tally = {
  lists: number;
  planted: number;
  found: number;
  others: number;
  falseAlarms: number;
  asked: number;
  examples: string[];
};

export const nothing = (): Tally => ({
  lists: 0,
  planted: 0,
  found: 0,
  others: 0,
  falseAlarms: 0,
  asked: 0,
  examples: [],
});

const SETTINGS = readSettings(READING_DEFAULTS);
const MOST_EXAMPLES = 5;
/** Where something is planted no name leaves open what a column is, so that a question is about the cells. */
const PLAIN_HEADER = ['brand', 'oem', 'name', 'tags'];

/** Writes a list with a kind in a share of its rows, reads it as `check` does, and adds what became of the rows. */
export async function measure(
  list: List,
  planting: { kind: Kind; share: number } | null,
  draw: Draw,
  folder: string,
  tally: Tally,
): Promise<void> {
  const { kind, share } = planting ?? { kind: null, share: 0 };
  const planted = new Set(list.offers.keys().filter(() => draw.chance(share)));
  if (kind !== null && planted.size === 0) planted.add(draw.upTo(list.offers.length));
  const rows = list.offers.map((offer, at): Written => {
    const written = { ...offer, tags: offer.tags.join(',') };
    return kind !== null && planted.has(at) ? kind.write(written, offer, draw) : written;
  });
  const path = join(folder, 'list.csv');
  writeFileSync(path, text(list, rows, kind === null ? list.words.header : PLAIN_HEADER));
  const { live, asked, rejected } = await read(path, folder);
  tally.lists += 1;
  if (asked !== null) tally.asked += 1;
  for (const [at, offer] of list.offers.entries()) {
    const became = live.get(at);
    const isMeant = became === meant(offer);
    const isPlanted = planted.has(at);
    const isLeftOut = became === undefined;
    const isRight = isPlanted && kind!.right === 'left out' ? isLeftOut : isMeant || (isPlanted && asked !== null);
    if (isPlanted) tally.planted += 1;
    else tally.others += 1;
    if (isPlanted && isRight) tally.found += 1;
    // A question is no alarm about rows: it is the answer to what was planted, or about what the columns are called.
    const isExcused = !isPlanted && asked !== null;
    if (!isPlanted && !isRight && !isExcused) tally.falseAlarms += 1;
    if (!isRight && !isExcused && tally.examples.length < MOST_EXAMPLES)
      tally.examples.push(
        `${isPlanted ? 'missed' : 'false alarm'}: ${JSON.stringify(Object.values(rows[at]!))} became ${became ?? asked ?? rejected ?? 'nothing'}`,
      );
  }
}

function text({ delimiter }: List, rows: Written[], header: string[]): string {
  const lines = [header, ...rows.map(({ brand, number, name, tags }) => [brand, number, name, tags])];
  return lines.map((cells) => `${cells.map((cell) => quotedCell(cell, delimiter)).join(delimiter)}\n`).join('');
}

/** An offer as it is uploaded. */
function meant({ brand, number, tags }: Offer): string {
  return `${brand} ${number} [${tags.join(',')}]`;
}

/** What goes live of a file, by its rows, or what is asked about it, or why it is refused. */
type Outcome = { live: Map<number, string>; asked: string | null; rejected: string | null };

async function read(path: string, folder: string): Promise<Outcome> {
  const result = await readFile({ path, name: 'list.csv', folder, settings: SETTINGS });
  if (result.unsure !== null)
    return { live: new Map(), asked: `a question about its ${result.unsure}`, rejected: null };
  if (result.validation.outcome === 'rejected')
    return { live: new Map(), asked: null, rejected: result.validation.reason };
  const starts = lineStarts(readFileSync(path, 'utf8'));
  const live = new Map<number, string>();
  for (const line of readFileSync(result.rowsPath, 'utf8').split('\n').slice(0, -1)) {
    const [at = '', brand = '', number = '', , tags = ''] = line.split('\t');
    live.set(starts.get(Number(at))! - 1, `${brand} ${number} [${tags}]`);
  }
  return { live, asked: null, rejected: null };
}

/** Which row of the list begins at a line: cells may have line breaks. */
function lineStarts(written: string): Map<number, number> {
  const starts = new Map<number, number>();
  let [line, row, isQuoted] = [1, 0, false];
  starts.set(line, row);
  for (const character of written) {
    if (character === '"') isQuoted = !isQuoted;
    if (character !== '\n') continue;
    line += 1;
    if (!isQuoted) starts.set(line, (row += 1));
  }
  return starts;
}
