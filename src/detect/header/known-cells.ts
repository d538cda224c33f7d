import { isContraction } from '../../columns/column-names.ts';
import { nameWords } from '../../columns/name-words.ts';
import { foldName, type HeaderNames } from '../table/header-names.ts';

/** How well a cell is known as a column's name: as a whole, by some of its words, or not at all. */
export type Knowledge = 'whole' | 'words' | 'none';

/** A shorter word means too much in some other language, and a cell of more words is a text. */
const SHORTEST_WORD = 3;
const MOST_WORDS = 6;
/** Longer cells are texts. */
const LONGEST_CELL = 200;
/** Names of more words than this are found as the whole cell only. */
const LONGEST_NAME = 3;

/** Whether folded names hold a header cell, or a name among its words (`Код 1С`, `CodVen`, `Price (EUR)`, `Произв-ль`). Pure. */
export function knowledgeOf(cell: string, names: HeaderNames): Knowledge {
  if (cell.length > LONGEST_CELL) return 'none';
  const words = nameWords(cell);
  if (isWhole(cell, words, names)) return 'whole';
  const bare = withoutBrackets(cell);
  if (bare !== cell && isWhole(bare, nameWords(bare), names)) return 'whole';
  if (words.length > MOST_WORDS) return 'none';
  if (isContraction(cell)) return 'words';
  for (let at = 0; at < words.length; at += 1) {
    for (let length = 1; length <= LONGEST_NAME && at + length <= words.length; length += 1) {
      const name = words.slice(at, at + length).join('');
      if (name.length >= SHORTEST_WORD && names.has(name)) return 'words';
    }
  }
  return 'none';
}

function isWhole(cell: string, words: string[], names: HeaderNames): boolean {
  return names.has(foldName(cell)) || names.has(words.join(''));
}

/** Units and currencies stand in brackets: `Price (EUR)`. */
function withoutBrackets(cell: string): string {
  return cell.replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ' ');
}
