import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { notifyOfIncidents } from '../../../src/jobs/alerts/notify.ts';
import { mailFile } from '../../../src/jobs/alerts/mail-file.ts';
import { sendMails } from '../../../src/jobs/alerts/send-mails.ts';
import { examineWork } from '../../../src/jobs/doctor/doctor-ledger.ts';
import { verifyAll } from '../../../src/jobs/maintenance/verify.ts';
import { reportRun } from '../../../src/jobs/run/report-stage.ts';
import { raise } from '../../../src/ledger/alerts/incidents.ts';
import { failingMails, mailsOf } from '../../../src/ledger/alerts/mails.ts';
import { createRun, decideRun, eventsOf, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { openMail } from '../../../src/notify/transport.ts';
import { decided } from '../../support/answers.ts';
import { atEnd } from '../../support/at-end.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { saying } from '../../support/reasons.ts';
import { contextFor } from '../../upload/upload-world.ts';

const SIGNAL = new AbortController().signal;
const START = Date.UTC(2026, 4, 4, 6, 30, 0);
const HOUR = 3_600_000;
const BOSS = { email: 'boss@example.com', when: ['problem', 'recovered'] };

/** An installation with a mail about a run with a rejected row that waits, since the mail server was away when the run ended. */
async function world(managers: object[] = [BOSS]) {
  const opened = await contextFor('http://127.0.0.1:9', { managers });
  let now = START;
  const { log, entries } = memoryLog();
  const ctx: Context = { ...opened, log, clock: { ...opened.clock, now: () => now } };
  const there = ctx.mail;
  const away = await openMail({ smtpUrl: 'smtp://127.0.0.1:1', outbox: '' });
  ctx.mail = () => Promise.resolve(away);
  const run = await runWithRejectedRow(ctx);
  ctx.mail = there;
  now = START + HOUR;
  await raise(ctx.ledger.db, { kind: 'credentials', login: 'main', reason: saying('answered 401') }, now);
  await notifyOfIncidents(ctx);
  const at = (hours: number) => (now = START + hours * HOUR);
  return { ctx, run, at, reports: join(ctx.home, 'reports'), said: () => entries };
}

async function runWithRejectedRow(ctx: Context): Promise<string> {
  const { db } = ctx.ledger;
  const asked = { feed: 'north', login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
  const run = await createRun(db, { ...asked, now: ctx.clock.now() });
  const issue = { code: 'missing-oem', severity: 'error', sheet: null, line: 7, column: 'oem', value: '' };
  const line = JSON.stringify({ ...issue, message: 'no number', cells: ['ATE', ''] });
  const { sha256 } = await ctx.archive.put(Readable.from([Buffer.from(`${line}\n`)]));
  const found = { issues: { 'missing-oem': 1 }, issues_sha: sha256, cell_names: ['brand', 'oem'] };
  await updateRun(db, run, { delivery_sha: 'a'.repeat(64), delivery_name: 'n.csv', ...found });
  await decideRun(db, run, { ...decided('held'), reason: null, now: ctx.clock.now() });
  await reportRun(await getRun(db, run), ctx, SIGNAL);
  return run;
}

async function mails({ home }: Context) {
  const names = readdirSync(home).includes('outbox') ? readdirSync(join(home, 'outbox')) : [];
  const parsed = await Promise.all(names.map((name) => PostalMime.parse(readFileSync(join(home, 'outbox', name)))));
  return parsed.toSorted((a, b) => (a.subject ?? '').localeCompare(b.subject ?? ''));
}

/** What \`doctor\` says of mails. */
async function mailLines(ctx: Context): Promise<string[]> {
  return (await examineWork(ctx)).filter(({ check }) => check === 'mail').map(({ detail }) => detail);
}

function filenames(mail: { attachments: { filename: string | null }[] } | undefined): (string | null)[] | undefined {
  return mail?.attachments.map(({ filename }) => filename);
}

test('a report file that is missing is written again for its mail', async () => {
  const { ctx, run, reports } = await world();
  rmSync(reports, { recursive: true });
  await sendMails(ctx);
  const [held, other, ...more] = await mails(ctx);
  expect(more).toEqual([]);
  expect(filenames(held)).toEqual([`north-${run}.csv`]);
  expect(Buffer.from(held?.attachments[0]?.content as ArrayBuffer).toString()).toContain('missing-oem');
  expect(other?.subject).toBe('The parts search denies us access');
});

test('a report file of before another machine reported the run anew is written again for its mail', async () => {
  const { ctx, run, reports } = await world();
  writeFileSync(join(reports, run, 'report.csv'), 'what it was then\n');
  writeFileSync(join(reports, run, 'report.json'), JSON.stringify({ run, outcome: 'live' }));
  await sendMails(ctx);
  const [held] = await mails(ctx);
  expect(Buffer.from(held?.attachments[0]?.content as ArrayBuffer).toString()).toContain('missing-oem');
});

test('the message in an outbox is in the archive as well; one of an earlier version is only where it was written', async () => {
  const { ctx, run } = await world();
  await sendMails(ctx);
  const [row] = await mailsOf(ctx.ledger.db, [run]);
  const elsewhere = { ...ctx, home: tempFolder() };
  const { name, bytes } = await mailFile(row!, elsewhere);
  expect(await buffer(bytes)).toEqual(readFileSync(join(ctx.home, 'outbox', name)));
  const { faults, references } = await verifyAll({ repair: false }, ctx, new AbortController().signal);
  // The delivery is invented; its issues and both mails are there.
  expect(faults.flatMap(({ names }) => names)).toEqual([`the delivery of run ${run}`]);
  expect(references).toBe(4);

  const older = { ...row!, message_sha: null };
  expect(await buffer((await mailFile(older, ctx)).bytes)).toEqual(readFileSync(join(ctx.home, 'outbox', name)));
  await expect(mailFile(older, elsewhere)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('went to') as string,
  });
  await expect(mailFile({ ...older, sent_to: null }, ctx)).rejects.toMatchObject({
    message: expect.stringContaining('has not been sent') as string,
  });
});

test('a message that the archive has lost is named by verify, and so is what can be done', async () => {
  const { ctx, run } = await world();
  await sendMails(ctx);
  const [row] = await mailsOf(ctx.ledger.db, [run]);
  rmSync(ctx.archive.file(row!.message_sha!).unverifiedPath);
  rmSync(join(ctx.home, 'outbox'), { recursive: true });
  const { faults } = await verifyAll({ repair: true }, ctx, new AbortController().signal);
  const lost = faults.find(({ sha256 }) => sha256 === row!.message_sha);
  expect(lost).toMatchObject({
    names: [`the message of mail ${row!.id}`],
    repaired: false,
    advice: expect.stringContaining('this mail cannot be shown any more') as string,
  });
  await expect(mailFile(row!, ctx)).rejects.toMatchObject({
    message: expect.stringContaining('The archive has lost the message') as string,
  });
});

test('a report file that cannot be written again is left out, and the mail says so', async () => {
  const { ctx, run, reports } = await world();
  rmSync(reports, { recursive: true });
  writeFileSync(reports, 'not a folder');
  await sendMails(ctx);
  const [held, other] = await mails(ctx);
  expect(filenames(held)).toEqual([]);
  expect(held?.text).toContain('The CSV could not be made; your offerline administrator finds the reason in the log.');
  expect(other?.subject).toBe('The parts search denies us access');
  expect(await failingMails(ctx.ledger.db, 0)).toEqual({ waiting: [], givenUp: [] });
  expect((await eventsOf(ctx.ledger.db, run)).at(-1)?.message).toBe('mailed to boss@example.com');
});

test('the files of a pruned run are not made again: its mail goes without them and says so', async () => {
  const { ctx, run, reports } = await world();
  rmSync(reports, { recursive: true });
  await updateRun(ctx.ledger.db, run, { reports: null, reports_pruned_at: START });
  await sendMails(ctx);
  const [held] = await mails(ctx);
  expect(filenames(held)).toEqual([]);
  expect(held?.text).toContain('The CSV is no longer kept.');
});

test('a mail that cannot be written fails alone, again and again with pauses, until it is given up after three days', async () => {
  const { ctx, run, at, said } = await world();
  const { db } = ctx.ledger;
  await sql`UPDATE runs SET account = ${'{'} WHERE id = ${run}`.execute(db);
  await sendMails(ctx);
  expect((await mails(ctx)).map(({ subject }) => subject)).toEqual(['The parts search denies us access']);
  const [waits] = (await failingMails(db, 0)).waiting;
  expect(waits).toMatchObject({ run, tries: 2, next_at: START + HOUR + 2 * 60_000 });
  expect(waits?.error).toContain(run);
  expect(said()).toContainEqual(
    expect.objectContaining({ msg: 'mail not sent yet', mail: waits?.id, run, reason: waits?.error }),
  );
  expect(await mailLines(ctx)).toEqual([
    expect.stringMatching(`could not be sent yet: .*boss@example.com about run ${run}`),
  ]);
  const tried: number[] = [];
  for (let hours = 1; hours < 80; hours += 0.5) {
    at(hours);
    await sendMails(ctx);
    tried.push((await failingMails(db, 0)).waiting[0]?.tries ?? 0);
  }
  expect(Math.max(...tried)).toBeLessThan(80);
  expect(await failingMails(db, 0)).toMatchObject({ waiting: [], givenUp: [{ run }] });
  expect(await mailLines(ctx)).toEqual([
    expect.stringMatching(`boss@example.com about run ${run} was given up at .*${run}`),
  ]);
  expect(said().filter(({ msg }) => msg === 'mail given up')).toMatchObject([{ run, mail: waits?.id }]);
});

test('a recipient whom the mail server does not take for now holds nobody back', async () => {
  const { ctx } = await world([
    { ...BOSS, email: 'a@example.com' },
    { ...BOSS, email: 'b@example.com' },
  ]);
  const taken = await serverThatRefuses('a@example.com', 450, ctx);
  await sendMails(ctx);
  expect(taken).toEqual(['b@example.com', 'b@example.com']);
  expect((await failingMails(ctx.ledger.db, 0)).waiting).toMatchObject([
    { recipient: 'a@example.com' },
    { recipient: 'a@example.com' },
  ]);
});

test('a mail server that closes its service ends the round: the other mails would only wait for it too', async () => {
  const { ctx } = await world([
    { ...BOSS, email: 'a@example.com' },
    { ...BOSS, email: 'b@example.com' },
  ]);
  const taken = await serverThatRefuses('a@example.com', 421, ctx);
  await sendMails(ctx);
  expect(taken).toEqual([]);
  const { waiting } = await failingMails(ctx.ledger.db, 0);
  expect(waiting.map(({ error }) => error?.includes('service closes'))).toEqual([true]);
});

/** A mail server that answers one recipient with a code, and takes the mails to all others; who was sent one. */
async function serverThatRefuses(recipient: string, responseCode: number, ctx: Context): Promise<string[]> {
  const taken: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, callback) => {
      if (address !== recipient) return callback();
      callback(Object.assign(new Error('service closes'), { responseCode }));
    },
    onData: (stream, { envelope }, callback) => {
      stream.resume().on('end', () => {
        taken.push(...envelope.rcptTo.map(({ address }) => address));
        callback();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  atEnd(() => new Promise<void>((done) => server.close(() => done())));
  const mail = await openMail({
    smtpUrl: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    outbox: '',
  });
  ctx.mail = () => Promise.resolve(mail);
  return taken;
}
