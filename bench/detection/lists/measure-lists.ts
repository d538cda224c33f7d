import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { READING_DEFAULTS } from '../../../src/config/schema/defaults.ts';
import { readSettings } from '../../../src/config/schema/feed-settings.ts';
import { detect } from '../../../src/detect/detect.ts';
import { decodeBytes } from '../../../src/io/text-decode.ts';
import type { Detection } from '../../../src/model.ts';
import { dialectPeers, type DialectAnswer } from '../dialect-peers.ts';
import { tallies, type Tallies } from '../tally.ts';
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
    writeFileSync(path, list.bytes);
    const found = await detect(path, { columns });
    const score = scoreOf(list, found);
    countLayout(layout, OURS, list, { ...score, isSure: found.sure });
    layout.add('charset', OURS, { isSure: found.sure, isRight: score.charset });
    countLayout(layout, DUCKDB, list, answerOf(list, await DuckDB!(decodeBytes(list.bytes, list.label.charset))));
    countColumns(outcomes, list, score);
    if (score.list !== 'right' || !score.headerRow || !score.delimiter || !score.charset) {
      onFailure(list, score, found);
    }
  }
  const tables = [layout.table([OURS, DUCKDB]), '### Mapping', outcomeTable(outcomes)];
  return ['right in % (unsure, sure but wrong)', ...tables].join('\n\n');
}

/** What of the layout is right, and whether the detector claims to be sure. */
type Layout = Pick<Score, 'delimiter' | 'quote' | 'headerRow' | 'dataStart'> & { isSure: boolean };

function answerOf({ label }: LabelledList, sniffed: DialectAnswer): Layout {
  const delimiter = sniffed?.delimiter === label.delimiter;
  const headerRow = sniffed !== null && sniffed.start?.headerLine === label.headerLine;
  return {
    delimiter,
    quote: delimiter && sniffed?.quote === label.quote,
    headerRow,
    dataStart: headerRow && sniffed.start?.dataLine === label.firstDataLine,
    isSure: sniffed !== null,
  };
}

function countLayout(layout: Tallies, detector: string, { features }: LabelledList, found: Layout): void {
  const { isSure } = found;
  layout.add('delimiter', detector, { isSure, isRight: found.delimiter });
  layout.add('delimiter and quote', detector, { isSure, isRight: found.quote });
  layout.add('data start', detector, { isSure, isRight: found.dataStart });
  for (const group of ['all', ...features]) {
    layout.add(`header row, ${group}`, detector, { isSure, isRight: found.headerRow });
  }
}

function countColumns(outcomes: Map<string, Outcome[]>, list: LabelledList, { columns, list: whole }: Score): void {
  for (const key of KEYS) count(outcomes, key, columns[key]);
  if (hasBoth(list)) count(outcomes, 'brand and number of lists with both', worst([columns.brand, columns.oem]));
  for (const group of ['all', ...list.features]) count(outcomes, `lists, ${group}`, whole);
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
