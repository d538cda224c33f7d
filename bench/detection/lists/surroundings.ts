import type { Draw } from './draw.ts';
import type { Words } from './goods.ts';

/** One row of a list; `raw` ones are written without quotes, as a hand writes a line above a table. */
export type Row = { kind: 'good' | 'header' | 'other'; cells: string[]; raw?: boolean };

/** What stands above the header: nothing, a title, a letterhead, settings of the report; padded by spreadsheets or not. */
export function preamble(draw: Draw, words: Words, width: number): { rows: Row[]; feature: string } {
  const kind = draw.pick(['none', 'none', 'none', 'title', 'letterhead', 'report', 'blank rows'] as const);
  if (kind === 'none') return { rows: [], feature: 'nothing above' };
  const padded = draw.chance(65);
  const indent = draw.chance(30) ? draw.between(0, Math.max(0, width - 2)) : 0;
  const texts = linesAbove(draw, words, kind);
  const rows = texts.map((cells): Row => {
    const placed = [...Array.from({ length: indent }, () => ''), ...cells];
    if (padded)
      return {
        kind: 'other',
        cells: [...placed, ...Array.from({ length: Math.max(0, width - placed.length) }, () => '')],
      };
    return { kind: 'other', cells: cells.length === 0 ? [''] : cells, raw: cells.length < 2 };
  });
  return { rows, feature: padded ? 'padded preamble' : 'bare preamble' };
}

function linesAbove(draw: Draw, words: Words, kind: 'title' | 'letterhead' | 'report' | 'blank rows'): string[][] {
  const title = [draw.pick(words.titles)];
  const date = `${draw.between(10, 28)}.0${draw.between(1, 9)}.2026`;
  const note = [draw.pick(words.notes)];
  const phone = [`+${draw.between(30, 49)} ${draw.digits(3)} ${draw.digits(2)}-${draw.digits(2)}-${draw.digits(2)}`];
  switch (kind) {
    case 'title':
      return draw.chance(50) ? [title] : [title, []];
    case 'blank rows':
      return Array.from({ length: draw.between(1, 5) }, () => []);
    case 'letterhead':
      return [
        [`${draw.pick(['Ltd', 'OOO', 'GmbH', 'S.A.'])} "${draw.letters(5)}"`],
        [`${draw.digits(5)}, ${draw.letters(1)}${draw.digits(2)}, ${draw.between(1, 90)}`],
        phone,
        [],
        [`${title[0]!} ${date}`],
        note,
        ...(draw.chance(50) ? [[]] : []),
      ];
    case 'report': {
      const facts = [
        [`${words.group[0]!}:`, words.parts[0]!],
        [`${words.stock[0]!}:`, String(draw.scaled(1, 99_999))],
        ['USD', `${draw.between(1, 50)},${draw.digits(2)}`],
        ['', date],
        note,
      ];
      return [title, ...draw.some(facts, draw.between(1, facts.length)), ...(draw.chance(60) ? [[]] : [])];
    }
  }
}

/** Rows under headings of one cell, in one level or two: how trees are printed. */
export function groupRows(draw: Draw, words: Words, columns: string[], rows: Row[]): Row[] {
  const column = draw.pick([0, 0, Math.max(0, columns.indexOf('name')), Math.min(1, columns.length - 1)]);
  const padded = draw.chance(75);
  const heading = (text: string): Row => {
    const cells = [...Array.from({ length: column }, () => ''), text];
    return {
      kind: 'other',
      cells: padded ? [...cells, ...Array.from({ length: columns.length - cells.length }, () => '')] : cells,
      raw: !padded && column === 0,
    };
  };
  const size = draw.scaled(2, 40);
  const deep = draw.chance(30);
  return rows.flatMap((row, at) => {
    if (at % size !== 0) return [row];
    const headings = [heading(draw.pick(words.parts))];
    if (deep && at % (size * 3) === 0) headings.unshift(heading(draw.pick(words.titles)));
    return [...headings, row];
  });
}

/** What stands below: a total, a note, a signature, blank rows. */
export function footer(draw: Draw, words: Words, width: number): Row[] {
  if (!draw.chance(35)) return [];
  const total = Array.from({ length: width }, () => '');
  total[0] = `${words.total}:`;
  total[width - 1] = `${draw.scaled(100, 900_000)}`;
  const signature: Row = {
    kind: 'other',
    cells: [`______________ /${draw.letters(1)}. ${draw.letters(1)}./`],
    raw: true,
  };
  const blank: Row = { kind: 'other', cells: total.map(() => '') };
  const note: Row = { kind: 'other', cells: [draw.pick(words.notes)] };
  return draw.some([{ kind: 'other', cells: total } as Row, blank, note, signature], draw.between(1, 4));
}
