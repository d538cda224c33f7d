import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitRows } from '../../src/sandbox/offers/process/split-rows.ts';
import { repetitions } from '../support/repetitions.ts';

const ROW_LENGTH = 12;

/** The rows of a text that comes in pieces, and the message of the error that ended it. */
async function split(pieces: string[], delimiter = '\t') {
  const rows: string[][] = [];
  async function* text() {
    yield* pieces;
  }
  try {
    for await (const batch of splitRows(text(), delimiter, ROW_LENGTH)) rows.push(...batch);
    return { rows, error: null };
  } catch (error) {
    return { rows, error: (error as Error).message };
  }
}

/** The same by csv-parse. */
function parsed(text: string, delimiter = '\t') {
  const rows: string[][] = [];
  try {
    parse(text, {
      delimiter,
      quote: null,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: ROW_LENGTH,
      on_record: (row: string[]) => {
        rows.push(row);
        return null;
      },
    });
    return { rows, error: null };
  } catch (error) {
    return { rows, error: (error as Error).message };
  }
}

test('a text is split at tabs and line ends, wherever its pieces end', async () => {
  const rows = [['a', 'b'], ['"c', 'd"'], [''], ['e', '']];
  expect(await split(['a\tb\r', '\n"c', '\td"\r\r\ne\t'])).toEqual({ rows, error: null });
});

test('a row that is too long is an error, after the rows before it', async () => {
  expect(await split(['a\tb\n', `c\t${'d'.repeat(20)}`])).toEqual({
    rows: [['a', 'b']],
    error: 'Max Record Size: record exceed the maximum number of tolerated bytes of 12 at line 2',
  });
});

const words = fc.constantFrom('a', 'é', '日', '"', '\t', '\t', '\r', '\n', '\r\n', 'abcd', ',', '😀');

test.each(['\t', ',', 'ab'])('any text is split as csv-parse splits it at %o', async (delimiter) => {
  const pieces = fc.array(
    fc.array(words, { maxLength: 8 }).map((list) => list.join('')),
    { maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(pieces, async (list) => {
      expect(await split(list, delimiter)).toEqual(parsed(list.join(''), delimiter));
    }),
    { numRuns: repetitions(1000) },
  );
});
