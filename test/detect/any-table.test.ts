import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { detect } from '../../src/detect/detect.ts';
import type { Detection } from '../../src/model.ts';
import { decodeText } from '../../src/io/text-decode.ts';
import { createRowScanner, type ScannedRow } from '../../src/validate/scan/scan-rows.ts';
import { anyTable, type AnyTable } from '../support/any-table.ts';
import { textFile } from '../support/price-list.ts';
import { repetitions } from '../support/repetitions.ts';

const RUNS = { seed: 20_260_504, numRuns: repetitions(400) };

async function readBack(path: string, found: Detection): Promise<ScannedRow[]> {
  const { delimiter, quote, escape, newline, headerLine, columns, header } = found;
  const shape = { width: header ? columns.length : null, looseQuotes: false };
  const scanner = createRowScanner(
    { delimiter, quote, escape, newline },
    { ...shape, firstLine: headerLine, rowLength: 10_000 },
  );
  const rows: ScannedRow[] = [];
  for await (const text of decodeText(path, found.charset, found.bom)) rows.push(...scanner.push(text));
  return [...rows, ...scanner.end()].filter(({ gap }) => gap === undefined);
}

/** Quotes and line ends inside cells do not always occur: then nobody can know how they would be written. */
function expectedDialect({ text, delimiter, newline, quote, escape, header, headerLine, rows }: AnyTable) {
  const hasOtherBreaks = rows.some(({ cells }) => cells.some((cell) => /[\r\n]/.test(cell)));
  return {
    delimiter,
    quote,
    ...(text.includes(`${escape}${quote}`) ? { escape } : {}),
    ...(hasOtherBreaks ? {} : { newline }),
    header: header !== null,
    headerLine,
    columns: header ?? [],
  };
}

test('any price list, in any dialect and charset, is recognised and read back cell for cell with its lines', async () => {
  let sure = 0;
  await fc.assert(
    fc.asyncProperty(anyTable, async (table) => {
      const path = textFile(table.text, table.charset);
      const found = await detect(path);
      if (!found.sure) return;
      sure += 1;
      expect(found).toMatchObject(expectedDialect(table));
      expect(iconv.decode(iconv.encode(table.text, iconvName(table.charset)), iconvName(found.charset))).toBe(
        table.text,
      );
      const rows = await readBack(path, found);
      expect(rows.map(({ line, cells, problem }) => ({ line, cells, problem }))).toEqual(
        table.rows.map((row) => ({ ...row, problem: null })),
      );
    }),
    RUNS,
  );
  expect(sure).toBeGreaterThan(RUNS.numRuns * 0.95);
});

function iconvName(charset: string): string {
  return charset === 'x-mac-cyrillic' ? 'maccyrillic' : charset;
}
