import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import exceljs from 'exceljs';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import type { CheckAnswer } from '../../../src/cli/files/check-answer.ts';
import type { RowRule } from '../../../src/model.ts';
import type { Context } from '../../../src/context.ts';
import { readDelivery } from '../../../src/jobs/run/read-stage.ts';
import { acquireLease } from '../../../src/ledger/lease.ts';
import { createRun, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { CAUSES } from '../../../src/wording/causes.ts';
import { rawZip } from '../../support/raw-zip.ts';
import { runCli } from '../../support/run-cli.ts';
import { contextFor } from '../../upload/upload-world.ts';

/** What a run ends with, and the file that ends it so; `before` was delivered earlier. */
type Case = {
  what: string;
  outcome: string | null;
  cause: string | null;
  name?: string;
  bytes: Buffer;
  before?: Buffer;
  /** A rule of the feed. */
  rule?: RowRule;
};

const OFFERS = 'brand;oem;name\nATE;13.0460-2782.2;Disc\nBOSCH;0986424797;Pads\nTRW;GDB1330;Pads\n';
const LIST = Array.from({ length: 20 }, (_, at) => `ATE;13.0460-27${at + 10};Disc\n`).join('');
const SEVERAL_NUMBERS = `brand;oem;name\n${Array.from({ length: 20 }, (_, at) => `ATE;A000${at + 10}|B000${at + 10};Disc\n`).join('')}`;
const JSON_LISTS = JSON.stringify({ a: offers('ATE'), b: offers('BOSCH') });

const CASES: Case[] = [
  { what: 'a good file', outcome: null, cause: null, bytes: Buffer.from(OFFERS) },
  {
    what: 'a charset in question',
    ...held('unsure'),
    bytes: iconv.encode('brand;oem;name\nATE;1;Ф\n', 'windows-1251'),
  },
  { what: 'a workbook with several sheets of offers', ...held('unsure'), name: 'north.xlsx', bytes: await workbook() },
  { what: 'records in question', ...held('unsure'), name: 'north.json', bytes: Buffer.from(JSON_LISTS) },
  {
    what: 'columns in question',
    ...held('columns'),
    bytes: Buffer.from(OFFERS.replace('brand;oem', 'Xyz;Nr katalogowy')),
  },
  { what: 'too many rejected rows', ...held('guard'), bytes: Buffer.from('brand;oem\nATE;13.0460\n;2\nATE;13.0461\n') },
  {
    what: 'the correction of a list',
    ...held('correction'),
    bytes: Buffer.from('brand;oem;name\nATE;90001;a\nATE;90002;b\nATE;90003;c\n'),
    before: Buffer.from(`brand;oem;name\n${LIST};90001;a\n;90002;b\n;90003;c\n`),
  },
  { what: 'several numbers in cells', ...held('cells'), bytes: Buffer.from(SEVERAL_NUMBERS) },
  {
    what: 'a column that a rule asks for',
    ...held('rules'),
    bytes: Buffer.from(OFFERS),
    rule: {
      name: 'x',
      when: { field: { column: 'state' }, asks: { test: 'in', values: ['used'] } },
      does: 'leave-out',
    },
  },
  { what: 'no column of brands', ...held('columns'), bytes: Buffer.from('Nr;Name\n1;a\n2;b\n') },
  { what: 'no column that is known', ...rejected(), bytes: Buffer.from('a;b\n1;2\n') },
  { what: 'a header only', ...rejected(), bytes: Buffer.from('brand;oem;name\n') },
  { what: 'no row that is right', ...rejected(), bytes: Buffer.from('brand;oem;name\n;1;a\n;2;b\n') },
  { what: 'an empty file', ...rejected(), bytes: Buffer.alloc(0) },
  { what: 'an image', ...rejected(), bytes: Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex') },
  { what: 'a broken archive', ...rejected(), name: 'north.csv.gz', bytes: gzipSync(OFFERS).subarray(0, 40) },
  {
    what: 'an archive with two lists',
    ...rejected(),
    name: 'north.zip',
    bytes: rawZip(['a.csv', 'b.csv'].map((name) => ({ name, data: OFFERS }))),
  },
];

test.each(CASES)(
  'check and ingest agree about $what',
  async ({ outcome, cause, name = 'north.csv', bytes, before, rule }) => {
    const rules = [{ name: 'x', when: { column: { state: { in: ['used'] } } }, leaveOut: true }];
    const north = { login: 'main', source: { type: 'directory', path: '.' }, ...(rule === undefined ? {} : { rules }) };
    const ctx = await contextFor('http://127.0.0.1:9', { feeds: { north } });
    if (rule !== undefined) ctx.config.rowRules = { north: [rule] };
    if (before !== undefined) await ingested('before.csv', before, ctx);
    const { status, answer } = await checked(name, bytes, ctx);
    const run = await ingested(name, bytes, ctx);
    expect({ outcome: run.outcome, cause: run.options.cause ?? null }).toEqual({ outcome, cause });
    const said = { outcome: outcome === null ? 'accepted' : 'rejected', wouldBe: outcome ?? 'uploaded' };
    expect(answer).toMatchObject(said);
    expect(answer?.reason === null).toBe(outcome === null);
    expect(status).toBe(outcome === null ? 0 : 3);
  },
);

test('each cause that a file alone can have is compared', () => {
  const byOthers = ['older-file', 'order', 'frozen', 'turned-down'];
  const causes = [...Object.keys(CAUSES.held), ...Object.keys(CAUSES.rejected)].filter(
    (one) => !byOthers.includes(one),
  );
  expect([...new Set(CASES.flatMap(({ cause }) => cause ?? []))].sort()).toEqual(causes.sort());
});

test.each([
  ['would be held: It is not certain', iconv.encode('brand;oem;name\nATE;1;Ф\n', 'windows-1251')],
  ['rejected: The column "brand" is missing', Buffer.from('a;b\n1;2\n')],
  ['accepted: 3 of 3 rows would be uploaded', Buffer.from(OFFERS)],
])('people read first: %s', async (words, bytes) => {
  const { said } = await checked('north.csv', bytes, await contextFor('http://127.0.0.1:9'), []);
  expect(said.startsWith(words)).toBe(true);
});

function held(cause: string) {
  return { outcome: 'held', cause };
}

function rejected() {
  return { outcome: 'rejected', cause: 'file-unusable' };
}

function offers(brand: string) {
  return Array.from({ length: 3 }, (_, at) => ({ brand, oem: `13.0460-${at}`, name: 'Disc' }));
}

async function workbook(): Promise<Buffer> {
  const book = new exceljs.Workbook();
  for (const name of ['Brakes', 'Filters']) {
    book.addWorksheet(name).addRows(
      OFFERS.trim()
        .split('\n')
        .map((line) => line.split(';')),
    );
  }
  return Buffer.from(await book.xlsx.writeBuffer());
}

/** What a run makes of a delivery that was pulled. */
async function ingested(name: string, bytes: Buffer, ctx: Context) {
  const { db } = ctx.ledger;
  const asked = { feed: 'north', login: 'main', cause: 'manual', options: {}, sandbox: false } as const;
  const id = await createRun(db, { ...asked, now: ctx.clock.now() });
  const path = join(ctx.home, name);
  writeFileSync(path, bytes);
  const { sha256 } = await ctx.archive.put(path);
  await updateRun(db, id, { stage: 'read', delivery_sha: sha256, delivery_name: name, delivery_bytes: bytes.length });
  const taken = await acquireLease(ctx.ledger, 'feed-north', ctx.owner, 30_000);
  if ('heldFor' in taken) throw new Error('the lease is held');
  await readDelivery(await getRun(db, id), taken.lease, ctx, new AbortController().signal);
  await taken.lease.release();
  return getRun(db, id);
}

/** What `check` answers in the same installation. */
async function checked(name: string, bytes: Buffer, ctx: Context, more: string[] = ['--json']) {
  const path = join(dirname(ctx.home), name);
  writeFileSync(path, bytes);
  const config = join(dirname(ctx.home), 'offerline.yaml');
  const where = ['--config', config, '--home', ctx.home];
  const { status, stdout } = await runCli([...where, 'check', path, '--feed', 'north', ...more], dirname(ctx.home));
  return { status, said: stdout, answer: more.includes('--json') ? (JSON.parse(stdout) as CheckAnswer) : null };
}
