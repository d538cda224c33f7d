import { InvalidArgumentError } from 'commander';

/** Reads a number of rows or of a page. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a whole number, 1 or more.');
  return Number(text);
}

/** Says how a list goes on that was shown in part. */
export function pageWords({ page, size, matches }: { page: number; size: number; matches: number }): string {
  const first = (page - 1) * size + 1;
  const last = Math.min(page * size, matches);
  return first > last ? `No rows on page ${page}; there are ${matches}.` : `Rows ${first} to ${last} of ${matches}.`;
}
