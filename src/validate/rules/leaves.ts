import type { RuleTest } from '../../model.ts';
import { foldForms, foldHalf } from '../../parts/part-key.ts';
import type { Speller } from '../../parts/spellings.ts';
import { linearPattern } from '../../values/linear-pattern.ts';
import { compare, compareRange, type CellNumber, type ComparedAs } from './fields.ts';

/** A cell as it is asked: its text, its tags where it is a list, and its number where it is compared as one. */
export type AskedCell = { text: string; tags: () => string[]; number: () => CellNumber };

/**
 * One question about one cell. `folded`: the folded texts that its own, or each of its tags, is compared with, in the pieces between their
 * stars; null where it is not only compared.
 */
export type Leaf = {
  /** The place of its field, and its own among all leaves. */
  field: number;
  number: number;
  asks: RuleTest;
  folded: string[][] | null;
  test: (cell: AskedCell) => boolean;
};

/** Creates what asks a cell; `as` says how its text is compared. */
export function createLeaf(
  asks: RuleTest,
  { field, number, as, spell }: { field: number; number: number; as: ComparedAs; spell: Speller },
): Leaf {
  const folded = foldedOf(asks, as, spell);
  return { field, number, asks, folded, test: testOf(asks, as, folded ?? []) };
}

function testOf(asks: RuleTest, as: ComparedAs, folded: string[][]): Leaf['test'] {
  switch (asks.test) {
    case 'equals':
    case 'below':
    case 'above':
      return ({ number }) => {
        const found = number();
        if (found.kind === 'open') return compareRange(asks, found) === true;
        return found.kind === 'known' && compare(asks, found.value);
      };
    case 'empty':
      return (cell) => (as === 'number' ? cell.number().kind === 'none' : cell.text.trim() === '') === asks.value;
    case 'in': {
      const values = new Set(folded.map(([value]) => value!));
      return ofTexts(as, (text) => values.has(text));
    }
    case 'like': {
      const patterns = folded.map(likePattern);
      return ofTexts(as, (text) => patterns.some((isLike) => isLike(text)));
    }
    case 'matches': {
      const pattern = linearPattern(asks.pattern);
      return (cell) => (as === 'tags' ? cell.tags() : [cell.text]).some((text) => pattern.test(text));
    }
  }
}

/** The texts with which a cell is compared, folded and in pieces. */
function foldedOf(asks: RuleTest, as: ComparedAs, spell: Speller): string[][] | null {
  const fold = as === 'brand' || as === 'oem' ? foldForms : (text: string) => [foldText(text)];
  if (asks.test === 'in')
    return asks.values.flatMap((value) => fold(as === 'brand' ? spell(value) : value).map((text) => [text]));
  return asks.test === 'like' ? asks.patterns.flatMap(fold).map((pattern) => pattern.split('*')) : null;
}

/** Of a list each tag is asked. */
function ofTexts(as: ComparedAs, isMeant: (folded: string) => boolean): Leaf['test'] {
  const fold = folderOf(as);
  if (as === 'tags') return (cell) => cell.tags().some((tag) => isMeant(fold(tag)));
  return (cell) => isMeant(fold(cell.text));
}

function folderOf(as: ComparedAs): (text: string) => string {
  return as === 'brand' || as === 'oem' ? foldHalf : foldText;
}

/** A text in which case, wide letters and blanks make no difference. */
export function foldText(text: string): string {
  return text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/** Whether a text is like a pattern in which `*` stands for any characters; each piece is looked for once, from left to right. */
function likePattern(pieces: string[]): (text: string) => boolean {
  if (pieces.length === 1) return (text) => text === pieces[0];
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)];
  const middle = pieces.slice(1, -1).filter((piece) => piece !== '');
  return (text) => {
    if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
    let at = first.length;
    for (const piece of middle) {
      const found = text.indexOf(piece, at);
      if (found === -1) return false;
      at = found + piece.length;
    }
    return at <= text.length - last.length;
  };
}
