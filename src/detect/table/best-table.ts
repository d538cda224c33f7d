import { counted } from '../../wording/words.ts';
import { rankLayouts, type Fit } from './dialect.ts';
import { cutTable, type Layout, type Row, type Table } from './table.ts';
import type { HeaderNames } from './header-names.ts';

/** The table in a text, with the evidence for its delimiter. */
export type DetectedTable = {
  layout: Layout;
  table: Table;
  width: number;
  confidence: number;
  evidence: string[];
  /** Another delimiter that may be right when this one is not sure; null for one column. */
  rival?: string | null;
};

/** Below either value there is no table: prose and programs fall short, price lists are far above. */
const LEAST_REGULAR = 0.5;
const LEAST_SCORE = 0.1;
/** A table with a lower score, because many rows have another number of cells, is not trusted. */
const POOR_SCORE = 0.25;
/** Two delimiters whose tables are this close to each other are both plausible; a few rows may agree by chance. */
const TOO_CLOSE = 0.9;
const TOO_CLOSE_FOR_FEW = 0.75;
const FEW_ROWS = 5;
/** A rival worth a mention. */
const NEAR = 0.7;
/** A text of one column in which more rows hold a delimiter twice may be a table whose rows are broken. */
const MANY_CUT = 0.5;
/** Cells that a wrong delimiter cut are less plain than this on average, and less than those of the right one by so much. */
const POOR_CELLS = 0.7;
const CLEARLY_PLAINER = 0.15;
const LOOK_AT_ROWS = 400;

/** Finds delimiter, quote and escape of a text; a delimiter that was set wins. Pure, and yields to the event loop. */
export async function bestTable(
  text: string,
  delimiter: string | undefined,
  names: HeaderNames,
): Promise<DetectedTable> {
  const fits = await rankLayouts(text, names, delimiter);
  const best = fits[0];
  if (delimiter !== undefined) return fromSetting(text, delimiter, best);
  const isTable = best !== undefined && best.regular >= LEAST_REGULAR && best.score >= LEAST_SCORE;
  const ragged = isTable && best.plain >= POOR_CELLS ? null : raggedTable(fits, text);
  if (!isTable) return ragged ?? oneColumn(text, best);
  if (ragged !== null && ragged.layout.delimiter !== best.layout.delimiter) return ragged;
  const rival = fits.find((fit) => fit.layout.delimiter !== best.layout.delimiter);
  const closeness = (rival?.score ?? 0) / best.score;
  const evidence = [`The delimiter is ${JSON.stringify(best.layout.delimiter)}: ${regularRows(best)}.`];
  if (rival !== undefined && closeness > NEAR) {
    evidence.push(`The delimiter ${JSON.stringify(rival.layout.delimiter)} would give ${rival.width} cells.`);
  }
  const limit = best.table.rows.length < FEW_ROWS ? TOO_CLOSE_FOR_FEW : TOO_CLOSE;
  const confidence = closeness > limit || best.score < POOR_SCORE ? 0.5 : 1 - closeness / 10;
  const other = closeness > limit ? rival!.layout.delimiter : null;
  return { ...best, layout: withQuote(best.layout, text), confidence, evidence, rival: other };
}

/**
 * The table in a text that offerline wrote itself: tabs between cells, double quotes where they are needed. Of several tables in
 * it the first, which ends before the line `end`. Pure.
 */
export function writtenTable(text: string, end: number): DetectedTable {
  const layout: Layout = { delimiter: '\t', quote: '"', escape: '"' };
  const whole = cutTable(text, layout, LOOK_AT_ROWS);
  const table = { ...whole, rows: whole.rows.filter(({ line }) => line < end) };
  return { layout, table, width: usualWidth(table.rows), confidence: 1, evidence: [] };
}

function fromSetting(text: string, delimiter: string, fit: Fit | undefined): DetectedTable {
  const shown = JSON.stringify(delimiter);
  if (fit === undefined) {
    const layout = withQuote({ delimiter, quote: null, escape: null }, text);
    const evidence = [`The delimiter is set to ${shown}, which does not occur.`];
    return { layout, table: cutTable(text, layout, LOOK_AT_ROWS), width: 1, confidence: 1, evidence };
  }
  const evidence = [`The delimiter is set to ${shown}: ${regularRows(fit)}.`];
  return { ...fit, layout: withQuote(fit.layout, text), confidence: 1, evidence };
}

/**
 * A table of rows of many lengths: a delimiter stands in most rows, and no other one that stands there leaves cells as plain.
 * Never certain.
 */
function raggedTable(fits: Fit[], text: string): DetectedTable | null {
  const cut = fits
    .filter((fit) => cutRows(fit).length > fit.table.rows.length * MANY_CUT)
    .sort((a, b) => b.plain - a.plain);
  const [best] = cut;
  const rival = cut.find(({ layout }) => layout.delimiter !== best!.layout.delimiter);
  if (best === undefined || (rival !== undefined && rival.plain > best.plain - CLEARLY_PLAINER)) return null;
  const { layout, table } = best;
  const rows = counted(table.rows.length, 'row');
  const evidence = [
    `The delimiter ${JSON.stringify(layout.delimiter)} stands in ${cutRows(best).length} of the first ${rows}, which have different numbers of cells.`,
  ];
  const width = usualWidth(cutRows(best));
  const other = rival?.layout.delimiter ?? null;
  return { layout: withQuote(layout, text), table, width, confidence: 0.5, evidence, rival: other };
}

/** Rows with more than one cell. Before a blank a single delimiter is the punctuation of a text. */
function cutRows({ table }: Fit): Row[] {
  return table.rows.filter(({ cells }) => cells.length > 2 || cells.slice(1).some(({ text }) => !text.startsWith(' ')));
}

function usualWidth(rows: Row[]): number {
  const widths = new Map<number, number>();
  for (const { cells } of rows) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
  return [...widths].sort(([a, m], [b, n]) => n - m || b - a)[0]?.[0] ?? 1;
}

function oneColumn(text: string, best: Fit | undefined): DetectedTable {
  const layout: Layout = { delimiter: null, quote: '"', escape: '"' };
  const table = cutTable(text, layout, LOOK_AT_ROWS);
  const evidence = ['No delimiter splits the text into columns: it has one column.'];
  const delimiter = best?.layout.delimiter;
  const cut = table.rows.filter((row) => delimiter != null && row.cells[0]!.text.split(delimiter).length > 2).length;
  const isCut = cut > table.rows.length * MANY_CUT;
  if (isCut)
    evidence.push(
      `But ${cut} of the first ${counted(table.rows.length, 'row')} contain ${JSON.stringify(delimiter)} twice or more.`,
    );
  return { layout, table, width: 1, confidence: isCut ? 0.6 : 0.9, evidence, rival: delimiter ?? null };
}

function regularRows({ table, width }: Fit): string {
  const regular = table.rows.filter((row) => row.cells.length === width).length;
  return `${regular} of the first ${counted(table.rows.length, 'row')} have ${counted(width, 'cell')}`;
}

/** Assumes the usual quote even where none is used, unless the text has quotes that cannot be quotation. */
function withQuote(layout: Layout, text: string): Layout {
  if (layout.quote !== null) return layout;
  const quoting: Layout = { ...layout, quote: '"', escape: '"' };
  const { broken, alone } = cutTable(text, quoting, LOOK_AT_ROWS);
  return broken > 1 || alone > 0 ? layout : quoting;
}
