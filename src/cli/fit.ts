import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

/** Narrower ones are not worth it: what is cut there would say nothing. */
const NARROWEST = 40;

/** What stands behind a label has at least so many columns. */
const NARROWEST_TEXT = 24;

/** Columns of the terminal that reads the answers; undefined when none does: what is not read by people is never cut. */
export function terminalColumns(): number | undefined {
  const { isTTY, columns } = process.stdout;
  return isTTY && columns > 0 ? Math.max(NARROWEST, columns) : undefined;
}

/** Columns and rows of that terminal. */
export function terminalSize(): { columns: number | undefined; rows: number | undefined } {
  const { isTTY, rows } = process.stdout;
  return { columns: terminalColumns(), rows: isTTY && rows > 0 ? rows : undefined };
}

/**
 * Wraps lines at their blanks where a terminal is too narrow; what follows stands below the text of its line, behind a label or a
 * bullet, or behind `indent` columns. Words are never cut.
 */
export function fitText(
  text: string,
  { columns = terminalColumns(), indent }: { columns?: number | undefined; indent?: number } = {},
): string {
  if (columns === undefined) return text;
  return text
    .split('\n')
    .map((line) => {
      if (stringWidth(line) <= columns) return line;
      const behind = Math.min(indent ?? LABEL.exec(line)![0].length, columns - NARROWEST_TEXT);
      const rest = wrapAnsi(line.slice(behind), columns - behind, { hard: false });
      return line.slice(0, behind) + rest.replaceAll('\n', `\n${' '.repeat(behind)}`);
    })
    .join('\n');
}

/** Cuts a line with … where it is wider than so many columns; wide letters take two. */
export function cutText(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let kept = '';
  for (const character of text) {
    if (stringWidth(kept + character) >= columns) break;
    kept += character;
  }
  return `${kept}…`;
}

/** A moment and a stage, a label, or a bullet. */
const LABEL = /^\s*(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}\S+ +|\S+ {2,}|- )?/u;

/** Blanks between two columns of a table. */
const GAP = 2;
/**
 * Widths for the columns of a table that has to fit: the widest gives way first, so that short ones stay whole, and the first, which
 * names what the row is about, last of all. Undefined when it fits as it is.
 */
export function fittingWidths(rows: string[][], columns: number): number[] | undefined {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(1, ...rows.map((row) => stringWidth(row[at] ?? ''))));
  const room = columns - GAP * (widths.length - 1);
  const excess = () => widths.reduce((sum, width) => sum + width, 0) - room;
  if (excess() <= 0) return undefined;
  for (const [from, least] of STEPS) {
    const widest = () => Math.max(0, ...widths.slice(from));
    while (excess() > 0 && widest() > least) widths[widths.lastIndexOf(widest())]! -= 1;
  }
  return widths;
}

/** Which columns give way, and to how much, one step after the other. */
const STEPS = [
  [1, 12],
  [1, 5],
  [0, 1],
] as const;
