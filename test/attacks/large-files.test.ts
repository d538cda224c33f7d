import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { measuredCheck, MOST_MEMORY } from './measured-check.ts';
import { chosenOf } from '../support/suite/thirds.ts';

const MB = 1e6;

const ABOVE = 'brand;oem;name\nBOSCH;1;pads\nATE;2;disc\n';
const BELOW = '\nBOSCH;3;pads\nATE;4;disc\n';

/** A gzip file of a text in which a unit is repeated up to so many bytes; its parts are compressed once. */
function bomb({ above, unit, bytes, below }: { above: string; unit: string; bytes: number; below: string }): Buffer {
  const most = 1_048_576 - (1_048_576 % Buffer.byteLength(unit));
  const part = Buffer.alloc(most, unit);
  const times = Math.floor(bytes / most);
  const packed = gzipSync(part, { level: 1 });
  const rest = gzipSync(part.subarray(0, bytes - times * most));
  return Buffer.concat([gzipSync(above), ...Array.from({ length: times }, () => packed), rest, gzipSync(below)]);
}

const check = (bytes: Buffer) => measuredCheck('north.csv.gz', bytes);

const ONE_ROW = { above: `${ABOVE}BOSCH;9;`, unit: 'x', bytes: 1000 * MB, below: BELOW };

test('a row of 1 GB costs itself only, with its line and size', async () => {
  const { answer, memory } = await check(bomb(ONE_ROW));
  expect(answer).toMatchObject({ outcome: 'accepted', rows: { read: 5, accepted: 4, rejectedLocally: 1 } });
  expect(answer.sample).toEqual([expect.objectContaining({ code: 'row-too-long', line: 4 })]);
  expect(answer.sample[0]?.message).toContain('The row has 1000000008 characters');
  expect(memory).toBeLessThan(MOST_MEMORY);
});

test('a header of 200 MB is refused with its size', async () => {
  const { answer, memory } = await check(bomb({ ...ONE_ROW, above: 'brand;oem;name', bytes: 200 * MB }));
  expect(answer).toMatchObject({ outcome: 'rejected', issues: { 'row-too-long': 1 } });
  expect(answer.reason).toContain('200000014 characters');
  expect(memory).toBeLessThan(MOST_MEMORY);
});

const BLANK = { read: 4, accepted: 4, rejectedLocally: 0 };
const ONE_BAD = { read: 5, accepted: 4, rejectedLocally: 1 };

test.each(
  chosenOf([
    ['line feeds', '\n', BLANK],
    ['carriage returns', '\r', BLANK],
    ['both', '\r\n', BLANK],
    ['quotes', '"', ONE_BAD],
    ['delimiters', ';', ONE_BAD],
    ['lines of a delimiter', ';\n', BLANK],
    ['lines of delimiters that are nearly too long', `${';'.repeat(999_999)}\n`, BLANK],
    ['short cells', 'a;', ONE_BAD],
    ['quotes and delimiters', '";', ONE_BAD],
  ]),
)('200 MB of %s in the middle of a file are read on in little memory', async (_, unit, rows) => {
  const { answer, memory } = await check(bomb({ above: ABOVE, unit, bytes: 200 * MB, below: BELOW }));
  expect(answer).toMatchObject({ outcome: 'accepted', rows });
  expect(memory).toBeLessThan(MOST_MEMORY);
});

test('a delivery with a row of 200 MB goes live without it', async () => {
  const shop = install({ feeds: { north: { guard: { maxRejected: '50%' } } } });
  shop.deliver('north', 'north.csv.gz', bomb({ ...ONE_ROW, bytes: 200 * MB }));
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'partial', rows: { read: 5, live: 4 }, issues: { 'row-too-long': 1 } });
  expect(readFileSync(answer.reports!.csv, 'utf8')).toMatch(/row-too-long,error,,4,.*200000008 characters/);
});
