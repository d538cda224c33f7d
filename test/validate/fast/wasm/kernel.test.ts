import { readFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CANDIDATES } from '../../../../src/detect/charset/charsets.ts';
import { decodeBytes } from '../../../../src/io/text-decode.ts';
import { charsetTable } from '../../../../src/validate/fast/wasm/charset-table.ts';
import { compiledKernel, createMemory, openKernel } from '../../../../src/validate/fast/wasm/kernel.ts';
import { singleByteCharset } from '../../../../src/validate/fast/chunk/bytes.ts';
import { kernelFiles } from '../../../../scripts/build-kernel.ts';
import { repetitions } from '../../../support/repetitions.ts';

const module = await compiledKernel();

const CHARSETS = CANDIDATES.flatMap(({ charset }) => {
  const characters = singleByteCharset(charset);
  return characters === null ? [] : [{ charset, table: charsetTable(characters) }];
});

/** Bytes that are often of the same sixteenth, as the letters of one alphabet are. */
const anyBytes = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0xc0, max: 0xff }) },
      { weight: 1, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
      { weight: 1, arbitrary: fc.nat(255) },
    ),
    { maxLength: 3 },
  )
  .chain((pool) => fc.array(pool.length === 0 ? fc.nat(255) : fc.constantFrom(...pool, 0x20), { maxLength: 100 }));

test('bytes of every charset become the UTF-8 of what they are decoded to', () => {
  expect(CHARSETS.length).toBeGreaterThan(30);
  const memory = createMemory(1024 * 1024);
  const bytes = Buffer.from(memory.buffer);
  const kernel = openKernel(module, memory);
  fc.assert(
    fc.property(anyBytes, fc.constantFrom(...CHARSETS), (text, { charset, table }) => {
      bytes.set(table, 1024);
      bytes.set(text, 16_384);
      const end = kernel.transcode(16_384, 16_384 + text.length, 32_768, 1024);
      expect(bytes.toString('utf8', 32_768, end)).toBe(decodeBytes(Uint8Array.from(text), charset));
    }),
    { numRuns: repetitions(2000) },
  );
});

test('letters of windows-1251 have the same first byte in each sixteenth of an alphabet', () => {
  const { table } = CHARSETS.find(({ charset }) => charset === 'windows-1251')!;
  expect([...table.subarray(1024, 1040)]).toEqual([...Array.from({ length: 12 }, () => 0), 0xd0, 0xd0, 0xd0, 0xd1]);
});

test('the committed files are what their sources make', async () => {
  for (const { path, contents } of await kernelFiles()) expect(Buffer.compare(await readFile(path), contents)).toBe(0);
});
