import { escaped } from '../../io/tidy-text.ts';
import { bestTable, type DetectedTable } from './best-table.ts';

/** So many quotes behind blanks are a habit, when nearly all of them open cells. */
const LEAST = 2;
const MOST_OTHERS = 0.05;

/**
 * Finds the table of a text, also where blanks stand before the quotes that open cells. Then the text is judged as if they did
 * not; where such a quote could not be told from one in a text, the table is not certain. Yields to the event loop.
 */
export async function bestTableOf(
  text: string,
  delimiter: string | undefined,
  names: Set<string>,
): Promise<{ best: DetectedTable; spacedQuotes: boolean }> {
  const best = await bestTable(text, delimiter, names);
  const [opened, closed] = spacedQuotesIn(text, best.layout.delimiter);
  if (opened < LEAST || closed === 0) return { best, spacedQuotes: false };
  if (closed < opened * (1 - MOST_OTHERS)) {
    const evidence = [
      ...best.evidence,
      `${opened} quotes stand behind blanks; it is not certain that they open cells.`,
    ];
    return { best: { ...best, confidence: Math.min(best.confidence, 0.5), evidence }, spacedQuotes: false };
  }
  // Blanks at the beginning of a cell count for nothing, whatever the cell is.
  const blanks = new RegExp(`(^|[\\r\\n]|${escaped(best.layout.delimiter!)}) +`, 'gu');
  const tidied = await bestTable(text.replaceAll(blanks, '$1'), delimiter, names);
  const evidence = [...tidied.evidence, 'Blanks stand before the quotes that open cells.'];
  return { best: { ...tidied, evidence }, spacedQuotes: tidied.layout.delimiter === best.layout.delimiter };
}

/** How many quotes stand behind blanks where a cell begins, and how many of those end that cell again. */
function spacedQuotesIn(text: string, delimiter: string | null): [number, number] {
  if (delimiter === null) return [0, 0];
  const end = escaped(delimiter);
  const begin = `(?<=^|[\\r\\n]|${end}) {1,100}"`;
  const opened = text.match(new RegExp(begin, 'gu'))?.length ?? 0;
  const closed = text.match(new RegExp(`${begin}(?:[^"]|"")*" *(?=${end}|[\\r\\n]|$)`, 'gu'))?.length ?? 0;
  return [opened, closed];
}
