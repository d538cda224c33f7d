import { expect, test } from 'vitest';
import { reportRun } from '../../../src/jobs/run/report-stage.ts';
import { listIncidents, raise, recover, type Raise } from '../../../src/ledger/alerts/incidents.ts';
import { createIntent, updateIntent } from '../../../src/ledger/uploads/intents.ts';
import { failingMails } from '../../../src/ledger/alerts/mails.ts';
import { createRun, decideRun, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import type { Outcome } from '../../../src/model.ts';
import { openMail } from '../../../src/notify/transport.ts';
import { DATASET } from '../../ledger/conformance/intend.ts';
import { decided } from '../../support/answers.ts';
import { found, saying } from '../../support/reasons.ts';
import { mailWorld as world, START, type MailWorld as World } from './mail-world.ts';

const SIGNAL = new AbortController().signal;
const MISSING: Raise = {
  kind: 'missing-delivery',
  login: 'main',
  feed: 'north',
  reason: saying('nothing came for 26 h'),
};

async function subjects({ mails }: World): Promise<string[]> {
  return (await mails()).map(({ subject }) => subject ?? '').sort();
}

const BOSS = { email: 'boss@example.com', when: ['problem', 'recovered'] };

test('one mail when something is wrong, one a day while it is, one when it is over', async () => {
  const shop = await world([BOSS]);
  for (const hours of [0, 0.01, 1, 20]) {
    shop.at(hours);
    await raise(shop.ctx.ledger.db, MISSING, shop.ctx.clock.now());
    await shop.tell();
    expect(await subjects(shop)).toEqual(['north: the delivery is overdue']);
  }
  shop.at(24);
  await raise(shop.ctx.ledger.db, { ...MISSING, reason: saying('nothing came for 50 h') }, shop.ctx.clock.now());
  await shop.tell();
  shop.at(25);
  await shop.tell();
  expect(await subjects(shop)).toEqual([
    'Still open – north: the delivery is overdue',
    'north: the delivery is overdue',
  ]);
  await recover(shop.ctx.ledger.db, { ...MISSING, text: 'a delivery came after 51 h' }, shop.ctx.clock.now());
  for (const hours of [26, 60, 100]) {
    shop.at(hours);
    await shop.tell();
  }
  const [over, ...before] = (await shop.mails()).filter(({ subject }) => subject?.includes('Solved'));
  expect(before).toEqual([]);
  expect(over?.subject).toBe('Solved – north: the delivery is overdue');
  expect(over?.text).toContain('4 May 2026 at 06:30 UTC');
  expect(await shop.mails()).toHaveLength(3);
});

test('what begins, lasts and ends an incident is one conversation, whichever of the mails a reader gets', async () => {
  const shop = await world([BOSS, { email: 'south@example.com', when: ['recovered'] }]);
  const { db } = shop.ctx.ledger;
  await raise(db, MISSING, START);
  await raise(db, { ...MISSING, feed: 'south' }, START);
  await shop.tell();
  shop.at(25);
  await shop.tell();
  await recover(db, { ...MISSING, text: 'a delivery came' }, shop.ctx.clock.now());
  await shop.tell();
  const incidents = await listIncidents(db, { all: true });
  const root = ({ id }: { id: string }) => `<incident-${id}@localhost.localdomain>`;
  const both = incidents.map(root).join(' ');
  const north = incidents
    .filter(({ feed }) => feed === 'north')
    .map(root)
    .join();
  const threads = (await shop.mails()).map(({ to, references }) => `${to} ${references}`);
  expect(threads.sort()).toEqual(
    [
      `boss@example.com ${both}`,
      `boss@example.com ${both}`,
      `boss@example.com ${north}`,
      `south@example.com ${north}`,
    ].sort(),
  );
});

test('the mail of a run belongs to the conversation of the incident that it brought or ended', async () => {
  const shop = await world([BOSS]);
  await ended(shop, 'held', { reason: 'too small' });
  shop.at(1);
  await ended(shop, 'live');
  const [{ id } = { id: '' }] = await listIncidents(shop.ctx.ledger.db, { all: true });
  expect((await shop.mails()).map(({ references }) => references)).toEqual([
    `<incident-${id}@localhost.localdomain>`,
    `<incident-${id}@localhost.localdomain>`,
  ]);
});

test('an incident that was over before it was announced is not announced at all', async () => {
  const shop = await world([BOSS]);
  await raise(shop.ctx.ledger.db, MISSING, START);
  await recover(shop.ctx.ledger.db, { ...MISSING, text: 'a delivery came' }, START + 1);
  await shop.tell();
  expect(await shop.mails()).toEqual([]);
  expect(await listIncidents(shop.ctx.ledger.db, { all: true })).toMatchObject([{ settled_at: START }]);
});

test('workers that see the same incident at once send one mail', async () => {
  const shop = await world([BOSS]);
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      await raise(shop.ctx.ledger.db, MISSING, START);
      await shop.tell();
    }),
  );
  expect(await shop.mails()).toHaveLength(1);
  expect(await listIncidents(shop.ctx.ledger.db)).toMatchObject([{ times: 8 }]);
});

test('what is wrong with several feeds in the same way is one mail to each, about those that they watch', async () => {
  const shop = await world([BOSS, { ...BOSS, email: 'south@example.com', feeds: ['south'] }]);
  for (const feed of ['north', 'south', 'east']) {
    await raise(shop.ctx.ledger.db, { ...MISSING, feed, reason: saying(`nothing of ${feed}`) }, START);
  }
  await raise(shop.ctx.ledger.db, { kind: 'credentials', login: 'main', reason: saying('answered 401') }, START);
  await shop.tell();
  const told = Map.groupBy(await shop.mails(), ({ to }) => to);
  expect(
    told
      .get('boss@example.com')
      ?.map(({ subject }) => subject)
      .sort(),
  ).toEqual(['The delivery is overdue: 3 suppliers', 'The parts search denies us access']);
  expect(
    told
      .get('south@example.com')
      ?.map(({ subject }) => subject)
      .sort(),
  ).toEqual(['The parts search denies us access', 'south: the delivery is overdue']);
  const group = told.get('boss@example.com')?.find(({ subject }) => subject?.includes('3 suppliers'));
  expect(group?.text).toContain('- north\n  Since 4 May 2026 at 06:30 UTC');
});

test('a mail server that is away gets the mail when it is back, and once', async () => {
  const shop = await world([BOSS]);
  const away = await openMail({ smtpUrl: 'smtp://127.0.0.1:1', outbox: '' });
  const there = shop.ctx.mail;
  shop.ctx.mail = () => Promise.resolve(away);
  await raise(shop.ctx.ledger.db, MISSING, START);
  await shop.tell();
  expect((await failingMails(shop.ctx.ledger.db, 0)).waiting).toMatchObject([
    { tries: 1, error: expect.stringContaining('did not accept the mail') as string, next_at: START + 60_000 },
  ]);
  shop.at(0.1);
  await shop.tell();
  shop.ctx.mail = there;
  for (const hours of [0.11, 1, 2]) {
    shop.at(hours);
    await shop.tell();
  }
  expect(await shop.mails()).toHaveLength(1);
  expect(await failingMails(shop.ctx.ledger.db, 0)).toEqual({ waiting: [], givenUp: [] });
});

/** A run of a feed that ended so, reported as the flow does it. */
async function ended({ ctx }: World, outcome: Outcome, changes: { feed?: string; reason?: string; sha?: string } = {}) {
  const { feed = 'north', reason = null, sha = 'a'.repeat(64) } = changes;
  const asked = { feed, login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
  const id = await createRun(ctx.ledger.db, { ...asked, now: ctx.clock.now() });
  await updateRun(ctx.ledger.db, id, { delivery_sha: sha, delivery_name: 'n.csv' });
  await decideRun(ctx.ledger.db, id, {
    ...decided(outcome),
    reason: reason === null ? null : found(reason),
    now: ctx.clock.now(),
  });
  await reportRun(await getRun(ctx.ledger.db, id), ctx, SIGNAL);
  return id;
}

test('a delivery that does not get through is announced once, however often the same bytes arrive', async () => {
  const shop = await world([BOSS]);
  for (const hours of [0, 1, 2]) {
    shop.at(hours);
    await ended(shop, 'held', { reason: 'it shrank by 60%' });
  }
  expect(await subjects(shop)).toHaveLength(1);
  shop.at(3);
  await ended(shop, 'held', { reason: 'it shrank by 70%', sha: 'b'.repeat(64) });
  shop.at(4);
  await ended(shop, 'live');
  const [first, ...others] = await subjects(shop);
  expect(others).toHaveLength(2);
  expect([first, ...others].filter((subject) => subject?.includes('held'))).toHaveLength(2);
  shop.at(5);
  await ended(shop, 'live');
  expect(await shop.mails()).toHaveLength(3);
  expect(await listIncidents(shop.ctx.ledger.db)).toEqual([]);
});

test('an old run that is amended says nothing about what came after it', async () => {
  const shop = await world([BOSS]);
  const old = await ended(shop, 'failed', { reason: 'its outcome is unknown' });
  shop.at(1);
  await ended(shop, 'held', { reason: 'too small' });
  await decideRun(shop.ctx.ledger.db, old, {
    outcome: 'live',
    cause: 'uploaded',
    reason: null,
    now: shop.ctx.clock.now(),
  });
  await reportRun(await getRun(shop.ctx.ledger.db, old), shop.ctx, SIGNAL);
  expect(await listIncidents(shop.ctx.ledger.db)).toMatchObject([{ kind: 'delivery', text: 'held: too small' }]);
});

test('runs that fail because of an incident of their login are not announced one by one', async () => {
  const shop = await world([BOSS]);
  const { db } = shop.ctx.ledger;
  await raise(db, { kind: 'credentials', login: 'main', reason: saying('answered 401') }, START);
  // The first was stopped by its login, the second before anything could be uploaded.
  for (const [feed, changes] of Object.entries({ north: { rows_sha: 'b'.repeat(64) }, south: { rows_sha: null } })) {
    const asked = { feed, login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
    const id = await createRun(db, { ...asked, now: START });
    await updateRun(db, id, changes);
    await decideRun(db, id, {
      outcome: 'failed',
      cause: 'credentials',
      reason: found('the service refused the login'),
      now: START,
    });
    await reportRun(await getRun(db, id), shop.ctx, SIGNAL);
  }
  const open = (await listIncidents(db)).map(({ kind, subject }) => `${kind} of ${subject}`);
  expect(open.sort()).toEqual(['credentials of login main', 'delivery of feed south']);
});

test('a dataset that the service fails is announced even when the login has another incident', async () => {
  const shop = await world([BOSS]);
  const { db } = shop.ctx.ledger;
  await raise(db, { kind: 'foreign-upload', login: 'main', reason: saying('somebody else uploaded') }, START);
  const intent = await createIntent(db, { login: 'main', ...DATASET }, START);
  await updateIntent(db, intent.id, { result: 'failed', closed_at: START });
  const asked = { feed: 'north', login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
  const id = await createRun(db, { ...asked, now: START });
  await updateRun(db, id, { rows_sha: 'b'.repeat(64), intent: intent.id });
  await decideRun(db, id, {
    outcome: 'failed',
    cause: 'credentials',
    reason: found('the service aborted upload 7'),
    now: START,
  });
  await reportRun(await getRun(db, id), shop.ctx, SIGNAL);
  expect(await listIncidents(db, { kind: 'delivery' })).toMatchObject([
    { feed: 'north', text: 'failed: the service aborted upload 7' },
  ]);
});

test('always: each run, and each once', async () => {
  const shop = await world([{ email: 'a@example.com', when: ['always', 'problem'] }]);
  await ended(shop, 'live');
  shop.at(1);
  await ended(shop, 'held', { reason: 'too small' });
  const told = await subjects(shop);
  expect(told).toHaveLength(2);
  expect(told.filter((subject) => subject.includes('held'))).toHaveLength(1);
});

const MANAGER = { ...BOSS, email: 'm@example.com' };
const OPS = { ...BOSS, email: 'ops@example.com', audience: 'ops' };
const DENIED: Raise = { kind: 'credentials', login: 'main', reason: saying('answered 401') };

async function told(shop: World): Promise<string[]> {
  return (await shop.mails()).map(({ to, subject }) => `${to}: ${subject}`).sort();
}

test('ops hear at once of what is theirs, managers when it has affected what is live for an hour, each once', async () => {
  const shop = await world([MANAGER, OPS]);
  for (const hours of [0, 0.9]) {
    shop.at(hours);
    await raise(shop.ctx.ledger.db, DENIED, shop.ctx.clock.now());
    await shop.tell();
    expect(await told(shop)).toEqual(['ops@example.com: The parts search denies us access']);
  }
  for (const hours of [1, 1.1, 5]) {
    shop.at(hours);
    await Promise.all([shop.tell(), shop.tell()]);
    expect(await told(shop)).toEqual([
      'm@example.com: The parts search denies us access',
      'ops@example.com: The parts search denies us access',
    ]);
  }
  await recover(shop.ctx.ledger.db, { ...DENIED, text: 'it answers' }, shop.ctx.clock.now());
  await shop.tell();
  expect((await told(shop)).filter((one) => one.includes('Solved'))).toEqual([
    'm@example.com: Solved – The parts search denies us access',
    'ops@example.com: Solved – The parts search denies us access',
  ]);
});

test('managers never hear of what was over within the hour', async () => {
  const shop = await world([MANAGER, OPS]);
  await raise(shop.ctx.ledger.db, DENIED, START);
  await shop.tell();
  shop.at(0.5);
  await recover(shop.ctx.ledger.db, { ...DENIED, text: 'it answers' }, shop.ctx.clock.now());
  for (const hours of [0.5, 2]) {
    shop.at(hours);
    await shop.tell();
  }
  expect((await told(shop)).filter((one) => one.startsWith('m@'))).toEqual([]);
});

test('ops get the commands, managers one plain sentence', async () => {
  const shop = await world([MANAGER, OPS]);
  await raise(shop.ctx.ledger.db, DENIED, START);
  await shop.tell();
  shop.at(1);
  await shop.tell();
  const text = new Map((await shop.mails()).map((mail) => [mail.to, mail.text]));
  expect(text.get('ops@example.com')).toMatch(/logins\.main\.auth.*offerline doctor/s);
  expect(text.get('ops@example.com')).toContain('answered 401');
  expect(text.get('m@example.com')).not.toMatch(/logins\.|offerline doctor|401/);
});

test('the same fault of several suppliers is one mail to each, in the language of each', async () => {
  const shop = await world([BOSS, { ...BOSS, email: 'ru@example.com', language: 'ru' }]);
  for (const feed of ['north', 'south', 'east']) {
    const reason = found('connect ECONNREFUSED');
    const asked = { feed, login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
    const id = await createRun(shop.ctx.ledger.db, { ...asked, now: START });
    await decideRun(shop.ctx.ledger.db, id, { outcome: 'failed', cause: 'source-unreachable', reason, now: START });
    await raise(
      shop.ctx.ledger.db,
      {
        kind: 'delivery',
        login: 'main',
        feed,
        run: id,
        reason: { code: 'run-ended', outcome: 'failed', cause: 'source-unreachable', reason },
        numbers: { outcome: 'failed', cause: 'source-unreachable', delivery: null },
      },
      START,
    );
  }
  await shop.tell();
  const mails = await shop.mails();
  expect(new Set(mails.map(({ to }) => to))).toEqual(new Set(['boss@example.com', 'ru@example.com']));
  expect(mails).toHaveLength(2);
  expect(mails.find(({ to }) => to === 'boss@example.com')?.subject).toContain('3 suppliers');
  expect(mails.find(({ to }) => to === 'ru@example.com')?.subject).toContain('3 поставщика');
});
