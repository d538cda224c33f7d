import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { tellReplaced } from '../../../src/jobs/restored/tell-replaced.ts';
import { listIncidents } from '../../../src/ledger/alerts/incidents.ts';
import { noteTakenOver } from '../../../src/ledger/maintenance/restored.ts';
import { openMail } from '../../../src/notify/transport.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { LANGUAGES, technicalIn } from '../../wording/managers/told.ts';
import { contextFor } from '../../upload/upload-world.ts';

const START = Date.UTC(2026, 4, 4, 6, 30, 0);
const HOUR = 3_600_000;

const MANAGERS = [
  { email: 'ops@example.com', audience: 'ops', when: ['problem'], language: 'de' },
  { email: 'chief@example.com', audience: 'ops', when: ['problem', 'recovered'] },
  { email: 'brakes@example.com', when: ['problem'] },
  { email: 'quiet@example.com', audience: 'ops', when: ['daily'] },
];

async function world(managers: object[] = MANAGERS) {
  const opened = await contextFor('http://127.0.0.1:9', { managers });
  let now = START;
  const { log, entries } = memoryLog();
  const ctx: Context = { ...opened, log, clock: { ...opened.clock, now: () => now } };
  const outbox = join(ctx.home, 'outbox');
  return {
    ctx,
    entries,
    at: (hours: number) => (now = START + hours * HOUR),
    sent: async () => {
      const files = readdirSync(outbox).toSorted();
      return Promise.all(files.map((file) => PostalMime.parse(readFileSync(join(outbox, file)))));
    },
  };
}

const replace = ({ ledger }: Context, at = START) =>
  noteTakenOver(ledger.db, 'the-other', 'it took over the backups in /mnt/backup', at);

test('ops are told once a day that the installation was replaced, each in their language', async () => {
  const { ctx, at, sent } = await world();
  await tellReplaced(ctx);
  await replace(ctx);
  await Promise.all([tellReplaced(ctx), tellReplaced(ctx)]);
  const mails = await sent();
  expect(new Set(mails.map(({ to }) => to?.[0]?.address))).toEqual(new Set(['chief@example.com', 'ops@example.com']));
  expect(mails).toHaveLength(2);
  const english = mails.find(({ to }) => to?.[0]?.address === 'chief@example.com')!;
  expect(english.subject).toMatch(/^offerline on \S+ was replaced by a restored installation/u);
  expect(english.text).toContain('it took over the backups in /mnt/backup');
  expect(english.text).toContain(ctx.home);
  const german = mails.find(({ to }) => to?.[0]?.address === 'ops@example.com')!;
  expect(german.subject).toMatch(/^offerline auf \S+ wurde von einer wiederhergestellten Installation abgelöst/u);
  expect(german.text).toContain('Damit nichts doppelt gesendet wird');
  // A service that starts it again and again, and another process that finds it out.
  at(23);
  await replace(ctx, START + 23 * HOUR);
  await tellReplaced(ctx);
  expect(await sent()).toHaveLength(2);
  at(25);
  await tellReplaced(ctx);
  expect(await sent()).toHaveLength(4);
  expect(new Set((await sent()).map(({ messageId }) => messageId)).size).toBe(4);
  expect(await listIncidents(ctx.ledger.db, { all: true })).toEqual([]);
});

test('where nobody is ops, managers are told in words of theirs', async () => {
  const { ctx, sent } = await world([{ email: 'boss@example.com', when: ['always'], language: 'pl' }]);
  await replace(ctx);
  await tellReplaced(ctx);
  const [mail] = await sent();
  expect(mail?.text).toContain('Kopia zapasowa tej instalacji');
  expect(mail?.text).not.toContain(ctx.home);
});

test.each(LANGUAGES)('the words have nothing technical in %s', (_, { say }) => {
  const texts = [
    say('replaced.title', { machine: 'attic' }),
    say('replaced.meaning'),
    say('replaced.step.meant', { machine: 'attic' }),
    say('replaced.step.not-meant'),
  ];
  expect(technicalIn(texts)).toEqual([]);
});

test('a mail server that takes nothing is logged, and the next start tries again', async () => {
  const { ctx, entries, sent } = await world();
  const there = ctx.mail;
  const away = await openMail({ smtpUrl: 'smtp://127.0.0.1:1', outbox: '' });
  ctx.mail = () => Promise.resolve(away);
  await replace(ctx);
  await tellReplaced(ctx);
  expect(entries.map(({ msg }) => msg)).toContain('mail about the replacement was not sent');
  ctx.mail = there;
  await tellReplaced(ctx);
  expect(await sent()).toHaveLength(2);
});

test('one that nobody has replaced sends nothing', async () => {
  const { ctx, entries } = await world();
  await tellReplaced(ctx);
  expect(readdirSync(ctx.home)).not.toContain('outbox');
  expect(entries).toEqual([]);
});
