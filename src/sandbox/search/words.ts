import { partKey } from '../reference/keys.ts';

/** One word of a query. */
export type Word = {
  text: string;
  /** Letters and digits only, in capitals. */
  key: string;
  /** It was marked with a leading `?`: a part may lack it. */
  optional: boolean;
};

/**
 * The words of a query, in order: parted by spaces, control characters, quotes and semicolons, and by commas except between digits. What has
 * no letter and no digit is no word.
 */
export function wordsOf(query: string): Word[] {
  const pieces = query.normalize('NFKC').split(/[\s\p{Cc}"«»„“”;]+|,(?!\d)|(?<!\d),/u);
  return pieces
    .map((piece) => {
      const optional = piece.startsWith('?');
      const text = piece.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
      return { text, key: partKey(text), optional };
    })
    .filter(({ key }) => key !== '');
}

/** Text as the index has it; the index itself folds case and accents, but a ß in capitals is SS. */
export function indexText(text: string): string {
  return text.normalize('NFKC').replaceAll(/[ßẞ]/g, 'ss');
}

/** Stands at both ends of each name in the index. It is of private use, so that no name and no query has it. */
export const NAME_END = '\uE000';

/** Names, each once, as the index has them. */
export function indexNames(names: readonly string[]): string {
  const ends = [...new Set(names)].map((name) => `${NAME_END} ${name.replaceAll(NAME_END, ' ')} ${NAME_END}`);
  return indexText(ends.join(' '));
}
