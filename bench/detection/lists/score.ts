import type { Detection } from '../../../src/model.ts';
import { isSameCharset } from '../labelled.ts';
import { accepted, KEYS, type Key, type LabelledList } from './label.ts';

/**
 * What became of a column: `right` and used; `proposed` right; `missing` although the list has it; `proposed wrong`, which
 * a person still sees; `silently wrong`: sure and wrong, so that it would be uploaded.
 */
export type Outcome = 'right' | 'proposed' | 'missing' | 'proposed wrong' | 'silently wrong';

/** From best to worst; a list is as good as its worst column. */
export const OUTCOMES: readonly Outcome[] = ['right', 'proposed', 'missing', 'proposed wrong', 'silently wrong'];

export type Score = {
  charset: boolean;
  delimiter: boolean;
  quote: boolean;
  headerRow: boolean;
  dataStart: boolean;
  columns: Record<Key, Outcome>;
  list: Outcome;
  sure: boolean;
};

/** Judges what detection said of a list. */
export function scoreOf({ bytes, label }: LabelledList, found: Detection): Score {
  const columns = Object.fromEntries(
    KEYS.map((key) => [key, outcomeOf(key, label.columns[key], found)]),
  ) as Score['columns'];
  const headerRow = label.headerLine === null ? !found.header : found.header && found.headerLine === label.headerLine;
  return {
    charset: isSameCharset({ bytes, charset: label.charset }, found.charset),
    delimiter: found.delimiter === label.delimiter,
    quote: found.delimiter === label.delimiter && (found.quote ?? '"') === label.quote,
    headerRow,
    dataStart: headerRow && (found.header || found.headerLine === label.firstDataLine),
    columns,
    list: worst(KEYS.map((key) => columns[key])),
    sure: found.sure,
  };
}

/** A file that is not read for its own reasons (unsure, binary) uploads nothing, so that nothing in it is silent. */
function outcomeOf(key: Key, answers: LabelledList['label']['columns'][Key], found: Detection): Outcome {
  const right = accepted(answers);
  const entry = found.mapping.find((column) => column.key === key);
  if (entry === undefined) return right.includes(null) ? 'right' : 'missing';
  const sure = entry.sure && found.sure;
  if (right.includes(entry.position)) return sure ? 'right' : 'proposed';
  return sure ? 'silently wrong' : 'proposed wrong';
}

/** What became of a list, by what became of its columns. */
export function worst(outcomes: Outcome[]): Outcome {
  return OUTCOMES[Math.max(...outcomes.map((outcome) => OUTCOMES.indexOf(outcome)))]!;
}
