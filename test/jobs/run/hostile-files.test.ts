import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { OfferlineError } from '../../../src/errors.ts';
import { readFile } from '../../../src/jobs/read/read.ts';
import { rawZip } from '../../support/raw-zip.ts';
import { plainSettings } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const OFFERS = [
  'Бренд;Артикул;Наименование;Теги',
  'BOSCH;0986424797;"Колодки; передние";a,b',
  'MANN;W 712/75;"Фильтр ""масляный""\r\nвторая строка";c',
  'ATE;13.0460;hose 5";',
  'ЗИЛ;130-1000005;Ð¤Ð¸Ð»ÑŒÑ‚Ñ€;d',
  'SACHS;1,23E+11;#REF!;e',
  'Итого;;4 позиции;',
  '',
].join('\r\n');

const TEXTS = [
  Buffer.from(OFFERS),
  iconv.encode(OFFERS, 'utf-16le', { addBOM: true }),
  iconv.encode(OFFERS.replace(/Ð.*€/, 'фильтр'), 'windows-1251'),
  Buffer.from(OFFERS.replaceAll(';', '\t').repeat(20)),
];
const ENTRY = { name: 'offers.csv', data: OFFERS };
const ZIPS = [
  rawZip([ENTRY]),
  rawZip([{ ...ENTRY, stored: true }], 'a comment'),
  rawZip([{ ...ENTRY, zip64: true }]),
  rawZip([{ ...ENTRY, descriptor: 'signed' }]),
  rawZip([{ ...ENTRY, name: iconv.encode('прайс.csv', 'cp866') }, { name: '__MACOSX/._a' }, { name: 'b/' }]),
  rawZip([{ name: 'inner.zip', data: rawZip([ENTRY]) }]),
  rawZip([{ name: 'offers.csv.gz', data: gzipSync(OFFERS), stored: true }]),
];
const GZIPS = [gzipSync(OFFERS), Buffer.concat([gzipSync(OFFERS), gzipSync(OFFERS)]), gzipSync(rawZip([ENTRY]))];

type Mutation = { kind: string; at: number; length: number; byte: number };

const anyMutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('flip', 'set', 'fill', 'insert', 'remove', 'repeat', 'cut', 'quote'),
  at: fc.integer({ min: 0, max: 9999 }),
  length: fc.integer({ min: 1, max: 40 }),
  byte: fc.oneof(fc.constantFrom(0, 1, 0x22, 0x7f, 0x80, 0xff), fc.integer({ min: 0, max: 255 })),
});

/** Does one thing to some bytes, as broken disks, broken connections and bad people do. */
function mutate(bytes: Buffer, { kind, at: share, length, byte }: Mutation): Buffer {
  const at = Math.floor((share / 10_000) * bytes.length);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  const chunk = after.subarray(0, length);
  switch (kind) {
    case 'flip':
      return Buffer.concat([before, Buffer.of((after[0] ?? 0) ^ (1 << (byte & 7))), after.subarray(1)]);
    case 'set':
      return Buffer.concat([before, Buffer.of(byte), after.subarray(1)]);
    case 'fill':
      return Buffer.concat([before, Buffer.alloc(chunk.length, byte), after.subarray(length)]);
    case 'insert':
      return Buffer.concat([before, Buffer.alloc(length, byte), after]);
    case 'remove':
      return Buffer.concat([before, after.subarray(length)]);
    case 'repeat':
      return Buffer.concat([before, ...Array.from({ length }, () => chunk), after]);
    case 'cut':
      return before;
    default:
      return Buffer.concat([before, Buffer.from(';"\r"\n'), after]);
  }
}

/** A small limit shows whether limits hold: nothing larger is ever on disk. */
const SETTINGS = plainSettings();
const LIMITS = { ...SETTINGS.limits, unpackedSize: 200_000, rowLength: 5000, cellLength: 1000 };

async function outcomeOf(bytes: Buffer, folder: string): Promise<string> {
  const path = join(folder, 'delivery');
  writeFileSync(path, bytes);
  try {
    const result = await readFile({ path, name: 'north.csv', folder, settings: { ...SETTINGS, limits: LIMITS } });
    if (result.unsure !== null) return result.reason === '' ? 'silent' : 'unsure';
    const { counts, reason, outcome } = result.validation;
    if (counts.read !== counts.accepted + counts.rejectedLocally + counts.duplicates) return 'unbalanced';
    return (outcome === 'rejected') === (reason === null) ? 'silent' : outcome;
  } catch (error) {
    if (!(error instanceof OfferlineError) || error.code !== 'file-rejected') throw error;
    return typeof error.details['code'] === 'string' && error.message.includes('north') ? 'refused' : 'vague';
  } finally {
    const files = readdirSync(folder).map((name) => join(folder, name));
    const largest = Math.max(...files.filter((file) => file !== path).map((file) => statSync(file).size), 0);
    for (const file of files) rmSync(file);
    expect(largest).toBeLessThan(1_000_000);
  }
}

/** Reads many damaged copies of some files and counts how that ended. */
async function readDamaged(originals: Buffer[], runs: number): Promise<Record<string, number>> {
  const folder = tempFolder();
  const ends: Record<string, number> = {};
  const mutations = fc.array(anyMutation, { minLength: 1, maxLength: 4 });
  const cases = fc.sample(fc.tuple(fc.constantFrom(...originals), mutations), { numRuns: runs, seed: 20261121 });
  for (const [original, changes] of cases) {
    const end = await outcomeOf(changes.reduce(mutate, original), folder);
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return ends;
}

const ENDS = new Set(['accepted', 'rejected', 'unsure', 'refused']);

test.each([
  ['zips', ZIPS, 1500],
  ['gzips', GZIPS, 600],
  ['texts', TEXTS, 1000],
])(
  '%s damaged at random end in rows and issues, in a question, or in a refusal that names them',
  { timeout: 120_000 },
  async (_, files, runs) => {
    const ends = await readDamaged(files, runs);
    expect(Object.keys(ends).filter((end) => !ENDS.has(end))).toEqual([]);
    expect(Object.keys(ends).length).toBeGreaterThan(1);
  },
);
