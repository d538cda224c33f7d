import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { OfferlineError } from '../../../src/errors.ts';
import { rawZip } from '../../support/raw-zip.ts';
import { madeWorkbook, readAll, workbookParts } from './made-workbook.ts';
import { repetitions } from '../../support/repetitions.ts';

const ROW =
  '<row r="1" hidden="1"><c r="A1" s="1" t="s"><v>0</v></c><c r="B1" s="2"><v>12.5</v></c><c t="inlineStr"><is><r><t>A&amp;B</t></r></is></c></row>';
const MADE = {
  sheets: [ROW + ROW.replaceAll('1"', '2"'), ROW],
  strings:
    '<si><t>BOSCH</t></si><si><r><t xml:space="preserve">x </t></r><rPh><t>y</t></rPh></si><si><t>z_x000D_</t></si>',
  formats: ['0000000', 'dd.mm.yyyy'],
};

type Harm = { kind: 'flip' | 'cut' | 'splice' | 'repeat'; at: number; to: number; length: number };
const harm: fc.Arbitrary<Harm> = fc.record({
  kind: fc.constantFrom('flip', 'flip', 'cut', 'splice', 'repeat'),
  at: fc.nat(),
  to: fc.nat(),
  length: fc.integer({ min: 1, max: 60 }),
});

function harmed(bytes: Buffer, { kind, at, to, length }: Harm): Buffer {
  if (bytes.length === 0) return bytes;
  const from = at % bytes.length;
  const target = to % bytes.length;
  const some = bytes.subarray(from, from + length);
  if (kind === 'cut') return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]);
  if (kind === 'splice') return Buffer.concat([bytes.subarray(0, target), some, bytes.subarray(target)]);
  if (kind === 'repeat')
    return Buffer.concat([bytes.subarray(0, from), ...Array<Buffer>(20).fill(some), bytes.subarray(from)]);
  const copy = Buffer.from(bytes);
  copy[from] = copy[from]! ^ (1 << (to % 8));
  return copy;
}

/** Reads all sheets; what is wrong with a workbook is said in a sentence, and nothing else is thrown. */
async function outcomeOf(bytes: Buffer): Promise<unknown> {
  try {
    const { tables, rows } = await readAll(bytes);
    for (const table of tables.keys()) rows.push(...(await readAll(bytes, table)).rows);
    return rows.every(({ cells }) => cells.length > 0 && cells.at(-1) !== '') ? 'read' : rows;
  } catch (error) {
    return error instanceof OfferlineError ? error.code : error;
  }
}

const RUNS = repetitions(300);

test('damaged archives are read or refused', async () => {
  const whole = madeWorkbook(MADE);
  await fc.assert(
    fc.asyncProperty(fc.array(harm, { minLength: 1, maxLength: 3 }), async (harms) => {
      expect(['read', 'file-rejected']).toContain(await outcomeOf(harms.reduce(harmed, whole)));
    }),
    { numRuns: RUNS, seed: 20_260_301 },
  );
});

test('damaged parts are read or refused', async () => {
  const parts = [...workbookParts(MADE)];
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.array(harm, { minLength: 1, maxLength: 4 }), async (which, harms) => {
      const changed = which % parts.length;
      const entries = parts.map(([name, data], at) => ({
        name,
        data: at === changed ? harms.reduce(harmed, Buffer.from(data)) : data,
        stored: true,
      }));
      expect(['read', 'file-rejected']).toContain(await outcomeOf(rawZip(entries)));
    }),
    { numRuns: RUNS, seed: 20_260_301 },
  );
});
