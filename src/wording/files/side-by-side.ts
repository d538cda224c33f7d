import type { SampleReading } from '../../model.ts';

/** A row of the file, as each of the readings shows it. */
type ComparedRow = { place: string; texts: string[] };

/** The name of a reading, such as `windows-1251, delimiter ";"`. */
export function readingName({ charset, delimiter }: Pick<SampleReading, 'charset' | 'delimiter'>): string {
  return `${charset}, ${delimiter === null ? 'one column' : `delimiter ${JSON.stringify(delimiter)}`}`;
}

/** The sample rows with their readings next to each other; cells are separated by bars. */
function comparedRows(readings: SampleReading[]): ComparedRow[] {
  return (readings[0]?.rows ?? []).map(({ line }, at) => ({
    place: line === null ? 'further down' : `line ${line}`,
    texts: readings.map(({ rows }) => rows[at]?.cells.join(' | ') ?? ''),
  }));
}

/** The comparison as lines of text: under each row of the file one line for each reading, with its number from 1 where it can be taken. */
export function comparisonLines(readings: SampleReading[], { numbered = false } = {}): string[] {
  const names = readings.map((reading, at) => `${numbered ? `${at + 1}: ` : ''}${readingName(reading)}`);
  const width = Math.max(0, ...names.map(({ length }) => length));
  return comparedRows(readings).flatMap(({ place, texts }) =>
    [`${place}:`].concat(texts.map((text, at) => `  ${names[at]!.padEnd(width)}  ${text}`)),
  );
}
