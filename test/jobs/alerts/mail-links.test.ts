import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect, test } from 'vitest';
import { listLinks } from '../../../src/access/supplier-links.ts';
import type { Context } from '../../../src/context.ts';
import { sendMails } from '../../../src/jobs/alerts/send-mails.ts';
import { reportRun } from '../../../src/jobs/run/report-stage.ts';
import { mailsOf } from '../../../src/ledger/alerts/mails.ts';
import { createRun, decideRun, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { openMail } from '../../../src/notify/transport.ts';
import { atEnd } from '../../support/at-end.ts';
import { contextFor } from '../../upload/upload-world.ts';

const START = Date.UTC(2026, 4, 4, 6, 30, 0);
const HOUR = 3_600_000;

/** An installation with a mail about a held correction, with a draft to its supplier, which waits. */
async function world() {
  const supplier = { name: 'Nord', email: 'lists@nord.example', page: true };
  const source = { type: 'directory', path: '.' };
  const opened = await contextFor('http://127.0.0.1:9', {
    managers: [{ email: 'boss@example.com' }],
    feeds: { north: { login: 'main', source, notify: 'draft', supplier } },
    web: { publicUrl: 'https://offers.example.com' },
  });
  const time = { now: START };
  const ctx: Context = { ...opened, clock: { ...opened.clock, now: () => time.now } };
  const { db } = ctx.ledger;
  const asked = { feed: 'north', login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
  const run = await createRun(db, { ...asked, now: START });
  await updateRun(db, run, { delivery_sha: 'a'.repeat(64), delivery_name: 'n.csv' });
  await decideRun(db, run, { outcome: 'held', cause: 'correction', reason: null, now: START });
  ctx.mail = () => openMail({ smtpUrl: 'smtp://127.0.0.1:1', outbox: '' });
  await reportRun(await getRun(db, run), ctx, new AbortController().signal);
  return { ctx, run, time };
}

/** A mail server that answers the content of one mail after the other so, and from then on takes it. */
async function answering(ctx: Context, ...codes: number[]): Promise<string[]> {
  const taken: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, _session, callback) => {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
      stream.on('end', () => {
        const code = codes.shift();
        if (code !== undefined) return callback(Object.assign(new Error('no'), { responseCode: code }));
        taken.push(text);
        callback();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  atEnd(() => new Promise<void>((done) => server.close(() => done())));
  const { port } = server.server.address() as AddressInfo;
  ctx.mail = () => openMail({ smtpUrl: `smtp://127.0.0.1:${port}`, outbox: '' });
  return taken;
}

async function openLinks(ctx: Context): Promise<number> {
  return (await listLinks('north', ctx)).filter(({ open }) => open).length;
}

test('a mail that is sent after all has a link, which opens the page', async () => {
  const { ctx, time } = await world();
  const taken = await answering(ctx);
  time.now += HOUR;
  await sendMails(ctx);
  expect(taken[0]).toContain('message/rfc822');
  expect(await openLinks(ctx)).toBeGreaterThan(0);
});

test('a mail that goes without its attachments leaves no link that nobody has', async () => {
  const { ctx, run, time } = await world();
  await answering(ctx, 451, 451, 552);
  for (let tries = 0; tries < 4; tries += 1) {
    time.now += HOUR;
    await sendMails(ctx);
  }
  expect(await mailsOf(ctx.ledger.db, [run])).toMatchObject([
    { sent_to: expect.stringContaining('127.0.0.1') as string },
  ]);
  expect(await openLinks(ctx)).toBe(0);
});

test('nor does one that the server refuses for good, or that says nothing any more', async () => {
  const refused = await world();
  await answering(refused.ctx, 451, 554);
  for (let tries = 0; tries < 3; tries += 1) {
    refused.time.now += HOUR;
    await sendMails(refused.ctx);
  }
  expect(await openLinks(refused.ctx)).toBe(0);
  const superseded = await world();
  expect(await openLinks(superseded.ctx)).toBeGreaterThan(0);
  const { db } = superseded.ctx.ledger;
  await decideRun(db, superseded.run, { outcome: 'nothing', cause: 'superseded', reason: null, now: START + 1 });
  await answering(superseded.ctx);
  superseded.time.now += HOUR;
  await sendMails(superseded.ctx);
  expect(await openLinks(superseded.ctx)).toBe(0);
});
