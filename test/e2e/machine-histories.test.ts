import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ifFailed } from '../support/at-end.ts';
import { isLedgerAway } from '../../src/ledger/engines/postgres-reconnect.ts';
import { canFakeTime } from '../support/fake-time.ts';
import { cannotStartPostgres } from '../support/postgres.ts';
import { inCi } from '../support/programs.ts';
import { redisProgram } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { atTheSameTime, booksOf, sentTwice, type Books } from './faults/books.ts';
import { randomFrom, type Random } from './faults/random.ts';
import { deliver, openFleet, type Fleet } from './machines/fleet.ts';
import { needsPairs } from './machines/harms.ts';
import { startOutside } from './machines/outside.ts';
import { RANDOM_HARMS } from './machines/random-harms.ts';

// Half an hour with OFFERLINE_FAULTS=all. MACHINES_MINUTES plays it at any time, for so long; MACHINES_SEED says which history.
const MINUTES = process.env['MACHINES_MINUTES'];
const isAsked = process.env['OFFERLINE_FAULTS'] === 'all' || MINUTES !== undefined;
const SEED = Number(process.env['MACHINES_SEED'] ?? randomInt(2 ** 31));
const SECONDS = 60 * Number(MINUTES ?? 30);
const LOGINS = 6;
const FEEDS = 4;
/** So long at most, in milliseconds, between the deliveries to a login, and between harms. */
const DELIVERY_EVERY = 4000;
const HARM_EVERY = 4000;
/** The longest wait for what is open when the harms have ended, seconds. */
const AT_MOST = 600;

const logins = Array.from({ length: LOGINS }, (_, at) => `login-${at}`);
const feedsOf = (login: string) => Array.from({ length: FEEDS }, (_, at) => `${login}-feed-${at}`);
const feeds = Object.fromEntries(
  logins.flatMap((login) => feedsOf(login).map((feed, at) => [feed, { login, priority: at + 1 }])),
);

/** The part numbers of each feed's newest delivery. */
type Delivered = Map<string, string[]>;

/** Delivers files of a login's feeds at random moments, whatever became of those before. */
async function deliverTo(login: string, fleet: Fleet, random: Random, delivered: Delivered, end: number) {
  for (let delivery = 1; performance.now() < end; delivery += 1) {
    const feed = feedsOf(login)[random(FEEDS)]!;
    const numbers = Array.from({ length: 5 }, (_, row) => `${feed} ${delivery} ${row}`);
    delivered.set(feed, numbers);
    const content = ['brand;oem', ...numbers.map((number) => `BOSCH;${number}`), ''].join('\n');
    await untilDelivered(() => deliver(fleet, login, feed, content));
    await sleep(random(DELIVERY_EVERY));
  }
}

/** Postgres may be away just then: nobody knows whether the run was recorded, and a second one of the same file does no harm. */
async function untilDelivered(deliverOnce: () => Promise<string>): Promise<void> {
  await until(async () => {
    try {
      return await deliverOnce();
    } catch (error) {
      if (!isLedgerAway(error)) throw error;
      return undefined;
    }
  });
}

/** One harm after the other, as the seed tells. */
async function harmIt(fleet: Fleet, random: Random, said: (what: string) => void, end: number): Promise<void> {
  const names = Object.keys(RANDOM_HARMS).filter((name) => fleet.pairs !== null || !needsPairs(name));
  for (let harms = 0; harms === 0 || performance.now() < end; harms += 1) {
    await sleep(random(HARM_EVERY));
    const name = names[random(names.length)]!;
    said(`${name}: ${await RANDOM_HARMS[name]!(fleet, random)}`);
  }
}

/** Every run has an outcome that its delivery deserves, and an account that balances. */
function unaccounted({ runs }: Books): string[] {
  return runs.flatMap(({ id, stage, outcome, options, reason, account }) => {
    if (stage !== 'done') return [`run ${id} is at ${stage}`];
    if (outcome === 'unchanged' || (outcome === 'nothing' && options.cause === 'superseded')) return [];
    if (outcome !== 'live' || account === null) return [`run ${id} is ${outcome}: ${reason}`];
    const { read, accepted, rejectedLocally, duplicates, contributed, outranked, live, rejectedRemotely } = account;
    const isBalanced =
      accepted + rejectedLocally + duplicates === read &&
      contributed + outranked === accepted &&
      live + rejectedRemotely + account.unexplained === contributed &&
      live === 5;
    return isBalanced ? [] : [`the account of run ${id} does not balance: ${JSON.stringify(account)}`];
  });
}

/** The part numbers that the service serves for a login. */
async function servedNumbers(service: string, login: string): Promise<string[]> {
  const headers = { authorization: `Basic ${Buffer.from(`${login}:secret`).toString('base64')}` };
  const text = await (await fetch(`${service}/us2/public/offer/source`, { headers })).text();
  const [header = [], ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  return rows.map((row) => row[header.indexOf('oem')] ?? '').toSorted();
}

test.skipIf(cannotStartPostgres || !isAsked)(
  'three machines, and harm at random: each intent accepted once, one upload at a time, all accounted, the newest live in the end',
  { timeout: (SECONDS + AT_MOST + 600) * 1000 },
  async () => {
    process.stdout.write(`The history of three machines: MACHINES_SEED=${SEED} MACHINES_MINUTES=${SECONDS / 60}\n`);
    const outside = await startOutside();
    const fleet = await openFleet(outside, feeds, {
      canSetClocks: canFakeTime,
      canFailOver: redisProgram !== undefined || inCi,
    });
    const harms: string[] = [];
    ifFailed(() => process.stderr.write(`Seed ${SEED}:\n${harms.join('\n')}\n`));
    const begun = performance.now();
    const end = begun + SECONDS * 1000;
    const delivered: Delivered = new Map();
    const deliveries = logins.map((login, at) => deliverTo(login, fleet, randomFrom(SEED + at + 1), delivered, end));
    const say = (what: string) => harms.push(`${((performance.now() - begun) / 1000).toFixed(1)} s: ${what}`);
    await Promise.all([...deliveries, harmIt(fleet, randomFrom(SEED), say, end)]);

    const open = fleet.ledger.db.selectFrom('runs').select('id').where('stage', '!=', 'done').limit(1);
    await until(async () => ((await open.executeTakeFirst()) === undefined ? true : undefined), AT_MOST);
    for (const login of logins) {
      const books = await booksOf({ ledger: fleet.ledger, login }, outside.service);
      const broken = [...sentTwice(books), ...atTheSameTime(books), ...unaccounted(books)];
      const newest = feedsOf(login).flatMap((feed) => delivered.get(feed) ?? []);
      const served = await servedNumbers(outside.service, login);
      expect({ login, broken, served }).toEqual({ login, broken: [], served: newest.toSorted() });
    }
  },
);
