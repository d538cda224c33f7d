import { expect, test } from 'vitest';
import { detect } from '../../src/detect/detect.ts';
import { OfferlineError } from '../../src/errors.ts';
import { textFile } from '../support/price-list.ts';

const MOST = 16_384;
const names = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`).join(';');

/** How many columns a text is found to have; the sentence of its refusal. */
async function widthOf(text: string): Promise<number | string> {
  try {
    return (await detect(textFile(text))).width;
  } catch (error) {
    if (error instanceof OfferlineError && error.details['code'] === 'too-many-columns') return error.message;
    throw error;
  }
}

test('a text has as many columns as a sheet can have, and not one more', async () => {
  const rows = `${';'.repeat(MOST - 1)}\n`;
  expect(await widthOf(`${names(MOST)}\n1${rows}2${rows}`)).toBe(MOST);
  expect(await widthOf(`${names(MOST + 1)}\n1;${rows}2;${rows}`)).toBe(
    'The table has 16,385 columns or more, but at most 16,384 are read, as many as a sheet can have. ' +
      'Delete the empty columns behind the list, or end its lines, and send the file again.',
  );
});

test('a header that is wider than its rows counts, a row that is wider than its header does not', async () => {
  expect(await widthOf(`brand;oem;${names(MOST)}\nBOSCH;1\nATE;2\nATE;3\n`)).toMatch(/^The table has 16,386 columns/);
  expect(await widthOf(`brand;oem\nBOSCH;1\nATE;2\nATE;${'x;'.repeat(MOST)}\nATE;3\n`)).toBe(2);
});
