import { areWholeLines, countSpacedQuotes, withoutBlanks, withoutLineQuotes } from '../../io/tidy-text.ts';
import { bestTable, type DetectedTable } from './best-table.ts';
import type { HeaderNames } from './header-names.ts';

/** So many quotes behind blanks are a habit, when nearly all of them open cells; one is when its cell holds a delimiter. */
const LEAST = 2;
const MOST_OTHERS = 0.05;
const APOSTROPHE = "'";
const QUOTES = ['"', APOSTROPHE];
/** What is cut where the quotes behind blanks leave no table. */
const USUAL_DELIMITER = ',';
const SURE = 0.9;

type Found = { best: DetectedTable; spacedQuotes: boolean; wholeLines: boolean };

/**
 * Finds the table of a text, also where blanks stand before the quotes that open cells. Then the text is judged as if they did
 * not; where such a quote could not be told from one in a text, the table is not certain. Yields to the event loop.
 */
export async function bestTableOf(text: string, delimiter: string | undefined, names: HeaderNames): Promise<Found> {
  const whole = areWholeLines(text) ? await bestTable(withoutLineQuotes(text), delimiter, names) : undefined;
  if (whole !== undefined && whole.width > 1 && whole.confidence >= SURE && isRegular(whole)) {
    const evidence = [...whole.evidence, 'Each line is quoted as a whole; these quotes are no part of it.'];
    return { best: { ...whole, evidence }, spacedQuotes: false, wholeLines: true };
  }
  const best = await bestTable(text, delimiter, names);
  for (const quote of QUOTES) {
    const found = await tableBehindBlanks(text, best, quote, (tidied) => bestTable(tidied, delimiter, names));
    if (found !== undefined) return found;
  }
  return { best, spacedQuotes: false, wholeLines: false };
}

/** Whether nearly all rows have the usual number of cells. */
function isRegular({ table: { rows }, width }: DetectedTable): boolean {
  return rows.filter(({ cells }) => cells.length === width).length >= rows.length * SURE;
}

/** The table with this quote behind blanks; undefined where no such quote says anything of the table. */
async function tableBehindBlanks(
  text: string,
  best: DetectedTable,
  quote: string,
  tableOf: (text: string) => Promise<DetectedTable>,
): Promise<Found | undefined> {
  const delimiter = best.layout.delimiter ?? USUAL_DELIMITER;
  const { opened, closed, needed } = countSpacedQuotes(text, delimiter, quote);
  // Apostrophes are common in texts, and a single pair of quotes may be part of a name.
  if (closed === 0 || (needed === 0 && (quote === APOSTROPHE || opened < LEAST))) return undefined;
  const tidied = closed < opened * (1 - MOST_OTHERS) ? undefined : await tableOf(withoutBlanks(text, delimiter));
  if (tidied?.layout.delimiter === delimiter && (tidied.layout.quote ?? '"') === quote) {
    const evidence = [...tidied.evidence, 'Blanks stand before the quotes that open cells.'];
    return { best: { ...tidied, evidence }, spacedQuotes: true, wholeLines: false };
  }
  if (best.layout.delimiter === null) return undefined;
  const evidence = [...best.evidence, `${opened} quotes stand behind blanks; it is not certain that they open cells.`];
  return {
    best: { ...best, confidence: Math.min(best.confidence, 0.5), evidence },
    spacedQuotes: false,
    wholeLines: false,
  };
}
