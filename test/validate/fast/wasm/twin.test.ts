import { readFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CANDIDATES } from '../../../../src/detect/charset/charsets.ts';
import { decodeBytes } from '../../../../src/io/text-decode.ts';
import { mapHeader } from '../../../../src/validate/checks/header.ts';
import type { IssuesLayout } from '../../../../src/validate/issues/issue-line.ts';
import { charsetTable } from '../../../../src/validate/fast/wasm/charset-table.ts';
import { compiledKernel, createMemory, openKernel, type Kernel } from '../../../../src/validate/fast/wasm/kernel.ts';
import { singleByteCharset } from '../../../../src/validate/fast/chunk/bytes.ts';
import { layOut } from '../../../../src/validate/fast/kernel-io/layout.ts';
import { settingsOf } from '../../../../src/validate/fast/kernel-io/buffers.ts';
import { SIZES } from '../../../../src/validate/fast/sizes.ts';
import { dialect, plainSettings } from '../../../support/read-settings.ts';
import { kernelFiles } from '../../../../scripts/build-kernel.ts';
import { twinKernel } from './twin.ts';

const module = await compiledKernel();
const sizes = { ...SIZES, chunk: 4096, line: 4096 };

const WORDS = 'a,b,c @x BOSCH bosch Lemförder ЛУКОЙЛ Ёё ÿ 1 1E+5 12-Mar Рычаг РЎ Итого a,b a,a € 😀 " "" x'.split(' ');
const SUSPICIOUS =
  'РўРµ Рў РС С Ст Стр строк Total Grand Gr Ðž Ðžé ÃÂ Ã¼ Â® é ├╝ ╨╤ – \u2003 \u200b \x7f # #REF! 01.03.2026 -79 .0.1 -01-3 2026-03-01 мар.26 1.Mar Marc e- E+ ſum К'.split(
    ' ',
  );
const MARKS = [';', ';', ';', ';', ' ', '\n', '\n', '\r\n', '\r', '\t', '\u00a0', '\ufffd', '0 986-42', 'x'.repeat(20)];
const anyPiece = fc.constantFrom(...WORDS, ...MARKS, ...SUSPICIOUS);
const anyRow = fc.tuple(
  ...['ATE', '12', 'name', 'a,b'].map((cell) =>
    fc.oneof(
      { weight: 5, arbitrary: fc.constant(cell) },
      { weight: 1, arbitrary: fc.array(anyPiece, { maxLength: 3 }).map((pieces) => pieces.join('')) },
    ),
  ),
);
const anyText = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: anyRow.map((cells) => `${cells.join(';')}\n`) },
      { weight: 1, arbitrary: anyPiece },
    ),
    { maxLength: 30 },
  )
  .map((rows) => rows.join(''));

/** What a kernel makes of a text: what it answers, and what it leaves in memory. */
function parseAll(
  open: (memory: WebAssembly.Memory) => Kernel,
  text: string,
  numbered: boolean,
  issuesLayout: IssuesLayout,
) {
  const settings = plainSettings({ maxTags: 2, limits: { ...plainSettings().limits, cellLength: 30, rowLength: 80 } });
  const map = { ...mapHeader(settings.columns, ['brand', 'oem', 'name', 'tags'], 1), hasFullerRows: true };
  const layout = layOut({ settings, map, dialect: dialect() }, null, {
    numbered,
    issuesLayout,
    sheet: null,
    onlyUtf8: true,
    sizes,
    threads: 1,
  });
  const kernel = open(layout.memory);
  const buffers = layout.buffers[0]![0]!;
  const bytes = Buffer.from(layout.memory.buffer);
  const templates = layout.templates.map((template) => template?.address ?? 0);
  new Uint32Array(layout.memory.buffer).set(templates, buffers.templates / 4);
  new Uint32Array(layout.memory.buffer).set(settingsOf(layout.settings[0], buffers), buffers.settings / 4);
  kernel.configure(buffers.settings);
  const to = buffers.raw + bytes.write(text, buffers.raw);
  const count = kernel.indexBytes(buffers.raw, to, buffers.index);
  kernel.open(buffers.index, count, buffers.out, buffers.entries);
  const answers = [];
  for (let at = buffers.raw; at < to;) {
    const answer = kernel.parseRows(at, to, 7);
    answers.push([answer, kernel.rowAt.value, kernel.line.value]);
    const next = bytes.indexOf(10, kernel.rowAt.value);
    at = answer === 0 || next === -1 ? to : next + 1;
  }
  const entries = bytes.subarray(buffers.entries, kernel.entryAt.value);
  const named = Array.from({ length: entries.length / 20 }, (_, at) =>
    kernel.nameDuplicate(buffers.entries + at * 20, 3, buffers.index, count),
  );
  const listed = kernel.findingAt.value - buffers.findings;
  const table = buffers.index;
  bytes.fill(0, table, table + 8 * 500);
  const found = kernel.findDuplicates(
    buffers.entries,
    entries.length / 20,
    table,
    97 + entries.length / 20,
    buffers.duplicates,
  );
  return {
    named,
    findings: bytes.toString('hex', buffers.findings, buffers.findings + listed),
    texts: bytes.toString(
      'utf8',
      buffers.findingTexts,
      listed > 0 ? bytes.readUInt32LE(buffers.findings + listed - 4) : buffers.findingTexts,
    ),
    answers,
    breaks: kernel.breaks.value,
    out: bytes.toString('utf8', buffers.out, kernel.outAt.value),
    entries: entries.toString('hex'),
    duplicates: bytes.toString('hex', buffers.duplicates, buffers.duplicates + found * 8),
    table: bytes.toString('hex', table, table + 8 * 500),
  };
}

test('the compiled kernel does what its twin does, byte for byte', () => {
  fc.assert(
    fc.property(anyText, fc.boolean(), fc.constantFrom('csv' as const, 'json' as const), (text, numbered, layout) => {
      const compiled = parseAll((memory) => openKernel(module, memory), text, numbered, layout);
      expect(compiled).toEqual(parseAll(twinKernel, text, numbered, layout));
    }),
    { numRuns: 300 },
  );
});

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
  const [compiled, twin] = [openKernel(module, memory), twinKernel(memory)];
  fc.assert(
    fc.property(anyBytes, fc.constantFrom(...CHARSETS), (text, { charset, table }) => {
      bytes.set(table, 1024);
      bytes.set(text, 16_384);
      for (const kernel of [compiled, twin]) {
        const end = kernel.transcode(16_384, 16_384 + text.length, 32_768, 1024);
        expect(bytes.toString('utf8', 32_768, end)).toBe(decodeBytes(Uint8Array.from(text), charset));
      }
    }),
    { numRuns: 2000 },
  );
});

test('letters of windows-1251 have the same first byte in each sixteenth of an alphabet', () => {
  const { table } = CHARSETS.find(({ charset }) => charset === 'windows-1251')!;
  expect([...table.subarray(1024, 1040)]).toEqual([...Array.from({ length: 12 }, () => 0), 0xd0, 0xd0, 0xd0, 0xd1]);
});

test('the committed files are what their sources make', async () => {
  for (const { path, contents } of await kernelFiles()) expect(Buffer.compare(await readFile(path), contents)).toBe(0);
});
