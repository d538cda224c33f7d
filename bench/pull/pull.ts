/**
 * Measures pulls of one large file from each kind of source beside the usual tools of its protocol, one after the other in each
 * round: `npm run bench:pull`. `MEGABYTES` (500), `ROUNDS` (3) and `KINDS` (all) say what. Tools are whole processes; of offerline,
 * a whole process and the pulls of one that goes on, as a worker does. A pull also digests what it brings (SHA-256); OpenSSL does it
 * for the tools.
 */
import { createWriteStream, rmSync, statSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { faker } from '@faker-js/faker';
import { afterAll, expect, test } from 'vitest';
import type { ServerSource } from '../../src/config/schema/source-schema.ts';
import { startApache } from '../../test/support/servers/apache.ts';
import { startDovecot } from '../../test/support/servers/dovecot.ts';
import { startSshd } from '../../test/support/servers/sshd.ts';
import { startSwift } from '../../test/support/servers/swift.ts';
import { startVsftpd } from '../../test/support/servers/vsftpd.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { supplierOf } from '../../test/pull/s3/objects.ts';
import { attached, mailWith } from '../../test/pull/mail/write-mail.ts';
import { median } from '../read/measure.ts';
import { offerline, run, toolsFor } from './contenders.ts';

const MEGABYTES = Number(process.env['MEGABYTES'] ?? 500);
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
/** The first of them is a cold one, and does not count. */
const PULLS_OF_WORKER = 4;
/** Mail servers refuse more. */
const LARGEST_MAIL = 50;

const file = join(tempFolder(), 'prices.csv');

/** A place with the file in it. */
const PLACES: Record<string, () => Promise<ServerSource>> = {
  ftp: () => inFolder(startVsftpd({ security: 'none' })),
  ftps: () => inFolder(startVsftpd()),
  sftp: () => inFolder(startSshd()),
  http: async () => {
    const apache = await startApache();
    await copyFile(file, join(apache.folder, 'prices.csv'));
    const web = { headers: {}, auth: { type: 'none' }, timeout: 30_000, maxRedirects: 5, allowHosts: [] } as const;
    const choosing = { pattern: '*.csv', settle: 0, after: 'keep', moveTo: 'taken', deadline: 3_600_000 } as const;
    return { type: 'http', url: apache.index, ...web, allowHosts: [], ...choosing };
  },
  webdav: () => inFolder(startApache()),
  s3: async () => {
    const { source } = await startSwift({ bucket: 'offers' });
    const { makeBucket, publish } = supplierOf(source);
    await makeBucket();
    await publish('prices.csv', await readFile(file));
    return source;
  },
  mail: async () => {
    const { source, deliver } = await startDovecot();
    const bytes = (await readFile(file)).subarray(0, LARGEST_MAIL * 1_000_000);
    deliver(mailWith([attached('prices.csv', bytes)]));
    return source;
  },
};

async function inFolder(starting: Promise<{ source: ServerSource; folder: string }>): Promise<ServerSource> {
  const { source, folder } = await starting;
  await copyFile(file, join(folder, 'prices.csv'));
  return { ...source, settle: 0 };
}

/** Rows of an offer list: makers and words as often as they are, numbers of every length. */
async function writeFile(): Promise<void> {
  faker.seed(1);
  const lines = Array.from({ length: 20_000 }, () => {
    const maker = faker.helpers.weightedArrayElement([
      { value: 'BOSCH', weight: 5 },
      { value: 'ATE', weight: 3 },
      { value: faker.company.name(), weight: 2 },
    ]);
    return `${maker};${faker.string.alphanumeric({ length: { min: 4, max: 14 } })};${faker.commerce.productName()};${faker.commerce.price()}`;
  });
  const block = Buffer.from(`${lines.join('\r\n')}\r\n`);
  const stream = createWriteStream(file);
  stream.write('brand;oem;name;price\r\n');
  for (let written = 0; written < MEGABYTES * 1_000_000; written += block.length) {
    if (!stream.write(block)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}

const lines: string[] = [];
const wanted = process.env['KINDS']?.split(',') ?? Object.keys(PLACES);

test.each(wanted)('%s', async (kind) => {
  if (lines.length === 0) await writeFile();
  const folder = tempFolder();
  const target = join(folder, 'pulled');
  const source = await PLACES[kind]!();
  const [once, worker] = [offerline(source, folder, target, 1), offerline(source, folder, target, PULLS_OF_WORKER)];
  const tools = toolsFor(source, folder, target);
  const times = {
    whole: [] as number[],
    worker: [] as number[],
    tools: tools.map(() => [] as number[]),
    digest: [] as number[],
  };
  let peak = 0;
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    rmSync(target, { force: true });
    times.whole.push((await run(once)).seconds);
    const answer = JSON.parse((await run(worker)).answer) as { seconds: number[]; peak: number };
    times.worker.push(median(answer.seconds.slice(1)));
    peak = Math.max(peak, answer.peak / 1024);
    bytes = statSync(target).size;
    for (const [index, tool] of tools.entries()) {
      rmSync(target, { force: true });
      times.tools[index]!.push((await run(tool)).seconds);
    }
    times.digest.push((await run({ name: 'openssl', command: ['openssl', 'dgst', '-sha256', target] })).seconds);
  }
  expect(bytes).toBeGreaterThan(0);
  const [whole, own] = [median(times.whole), median(times.worker)];
  const others = tools.map(({ name }, index) => ({ name, seconds: median(times.tools[index]!) }));
  const best = Math.min(...others.map(({ seconds }) => seconds));
  const shown = others.map(({ name, seconds }) => `${name} ${seconds.toFixed(2)} s`).join(', ');
  const digested = best + median(times.digest);
  const ratios = [best, digested].map((seconds) => (seconds / own).toFixed(2));
  const cells = [kind, Math.round(bytes / 1e6), `${own.toFixed(2)} s`, shown, ...ratios];
  lines.push(`| ${[...cells, `${whole.toFixed(2)} s`, `${Math.round(peak)} MB`].join(' | ')} |`);
});

afterAll(() => {
  const head =
    '| `npm run bench:pull` | MB | offerline | tools | throughput, of the best tool | of it with a digest | with start-up | memory |';
  process.stdout.write(`\n${head}\n| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |\n${lines.join('\n')}\n`);
});
