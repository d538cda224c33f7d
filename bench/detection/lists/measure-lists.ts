import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { READING_DEFAULTS } from '../../../src/config/schema/defaults.ts';
import { readSettings } from '../../../src/config/schema/feed-settings.ts';
import { detect } from '../../../src/detect/detect.ts';
import { decodeBytes } from '../../../src/io/text-decode.ts';
import type { Detection } from '../../../src/model.ts';
import { dialectPeers } from '../dialect-peers.ts';
import { tallies } from '../tally.ts';
import { accepted, KEYS, type LabelledList } from './label.ts';
import { OUTCOMES, scoreOf, worst, type Outcome, type Score } from './score.ts';

const OURS = 'offerline';
const DUCKDB = 'DuckDB';

/** Called with each list that detection does not read as its label says. */
type OnFailure = (list: LabelledList, score: Score, found: Detection) => void;

/**
 * Runs detection on lists as a user without any settings does, and DuckDB's sniffer beside it; answers Markdown tables.
 * Files are written into `folder`.
 */
export async function measureLists(
  lists: Iterable<LabelledList>,
  folder: string,
  onFailure: OnFailure,
): Promise<string> {
  const { DuckDB } = await dialectPeers(folder);
  const { columns } = readSettings(READING_DEFAULTS);
  const layout = tallies();
  const outcomes = new Map<string, Outcome[]>();
  const path = join(folder, 'list.csv');
  for (const list of lists) {
    const { bytes, label, features } = list;
    writeFileSync(path, bytes);
    const found = await detect(path, { columns });
    const score = scoreOf(list, found);
    const ours = { isSure: found.sure };
    const groups = ['all', ...features];
    layout.add('charset', OURS, { ...ours, isRight: score.charset });
    layout.add('delimiter', OURS, { ...ours, isRight: score.delimiter });
    layout.add('delimiter and quote', OURS, { ...ours, isRight: score.quote });
    for (const group of groups) layout.add(`header row, ${group}`, OURS, { ...ours, isRight: score.headerRow });
    layout.add('data start', OURS, { ...ours, isRight: score.dataStart });

    const sniffed = await DuckDB!(decodeBytes(bytes, label.charset));
    const theirs = { isSure: sniffed !== null };
    const isDelimiter = sniffed?.delimiter === label.delimiter;
    const isHeader = sniffed !== null && sniffed.start?.headerLine === label.headerLine;
    layout.add('delimiter', DUCKDB, { ...theirs, isRight: isDelimiter });
    layout.add('delimiter and quote', DUCKDB, { ...theirs, isRight: isDelimiter && sniffed?.quote === label.quote });
    for (const group of groups) layout.add(`header row, ${group}`, DUCKDB, { ...theirs, isRight: isHeader });
    layout.add('data start', DUCKDB, {
      ...theirs,
      isRight: isHeader && sniffed.start?.dataLine === label.firstDataLine,
    });

    for (const key of KEYS) count(outcomes, key, score.columns[key]);
    for (const group of groups) count(outcomes, `lists, ${group}`, score.list);
    if (hasBoth(list))
      count(outcomes, 'brand and number of lists with both', worst([score.columns.brand, score.columns.oem]));
    if (score.list !== 'right' || !score.headerRow || !score.delimiter || !score.charset) onFailure(list, score, found);
  }
  return `right in % (unsure, sure but wrong)\n\n${layout.table([OURS, DUCKDB])}\n\n### Mapping\n\n${outcomeTable(outcomes)}`;
}

/** Most lists of offers have both; the others need a setting in any case. */
function hasBoth({ label }: LabelledList): boolean {
  return !accepted(label.columns.brand).includes(null) && !accepted(label.columns.oem).includes(null);
}

function count(outcomes: Map<string, Outcome[]>, measure: string, outcome: Outcome): void {
  outcomes.set(measure, [...(outcomes.get(measure) ?? []), outcome]);
}

function outcomeTable(outcomes: Map<string, Outcome[]>): string {
  const rows = [
    ['', 'of', ...OUTCOMES],
    ['---', '--:', ...OUTCOMES.map(() => '--:')],
  ];
  for (const [measure, all] of outcomes) {
    rows.push([
      measure,
      String(all.length),
      ...OUTCOMES.map((one) => String(all.filter((other) => other === one).length)),
    ]);
  }
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}
