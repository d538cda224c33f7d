import { parse } from 'node:path/posix';
import { cleanName } from '../../io/file-name.ts';

/** Stands for the name of a delivery without its ending. */
const NAME = '{name}';

/** Characters of the part of a name that comes from a delivery, so that the whole fits any file system. */
const LONGEST_STEM = 80;

/** How the results of a feed are called. */
type Named = { name: string };

/** What the result of a delivery is called: `prices_result.xlsx` for `prices.csv`. Pure. */
export function resultName({ name }: Named, delivery: string): string {
  const stem = parse(cleanName(delivery)).name.replaceAll('\uFFFD', '_').slice(0, LONGEST_STEM).trim() || 'delivery';
  return name.replace(NAME, () => stem);
}

/** The same name with a number where it is taken: `prices_result (2).xlsx`; 1 is the name itself. Pure. */
export function numberedName(path: string, number: number): string {
  const { dir, name, ext } = parse(path);
  if (number === 1) return path;
  return `${dir === '' ? '' : `${dir}/`}${name} (${number})${ext}`;
}

/** Whether a file is called as the results of a feed are, with or without a number. Case makes no difference. Pure. */
export function isResultName({ name }: Named, file: string): boolean {
  const [before = '', after] = folded(name).split(NAME);
  const found = folded(file);
  return [found, found.replace(/ \([1-9]\d{0,2}\)(?=\.[^.]+$)/u, '')].some((one) =>
    after === undefined
      ? one === before
      : one.length > before.length + after.length && one.startsWith(before) && one.endsWith(after),
  );
}

/** A name as places compare them: some fold case, some take accents apart. */
export function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
