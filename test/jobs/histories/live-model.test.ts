import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { doubtIn, liveNow } from '../../../src/jobs/logins/live-now.ts';
import type { FeedAccount } from '../../../src/ledger/schema/schema.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { modelFiles } from './model-files.ts';
import { modelHistory } from './model-history.ts';
import type { Decided } from './model-ledger.ts';
import { anyStep, FEEDS } from './model-steps.ts';
import { accountIn, type Accepted, type ExpectedAccount } from './reference-login.ts';
import { coverage, repetitions } from '../../support/repetitions.ts';

type History = ReturnType<typeof modelHistory>;

/** What the product's functions say of a login, and what the reference says of it, in the same words. */
function compare({ ledger, reference }: History) {
  const facts = ledger.facts();
  const doubt = doubtIn(facts);
  const isCertain = reference.doubt() === null;
  const said: unknown[] = [doubt === null ? null : doubt.elsewhere ? 'elsewhere' : 'under way'];
  const truth: unknown[] = [reference.doubt()];
  for (const feed of FEEDS) {
    const now = liveNow(feed, facts);
    const { live, rejectedRemotely, unexplained } = accountOrNone(reference.proved, feed);
    const served = reference.served(feed);
    // Nothing is said to be live that may not be, and nothing that is live is left out.
    const within = isCertain ? Math.min(Math.max(served, live), live + unexplained) : served;
    const proved = now.proved === null ? null : [now.proved.live, now.proved.rejectedRemotely];
    said.push([feed, now.doubt === null, now.live, now.rejectedRemotely, now.upload, proved, served]);
    const upload = reference.proved === null ? null : facts.proved!.offerId;
    const certain = isCertain ? [true, live, rejectedRemotely, upload] : [false, null, null, null];
    truth.push([feed, ...certain, reference.proved === null ? null : [live, rejectedRemotely], within]);
    const loss = ledger.lostRows.get(feed);
    const expected = reference.losses.get(feed);
    said.push(loss && { lost: loss.lost, wasLive: loss.wasLive, told: loss.told });
    truth.push(expected && { lost: expected.lost, wasLive: expected.wasLive, told: expected.told });
  }
  for (const upload of [ledger.newest(), ledger.lastVerified()]) {
    for (const account of upload?.intent.accounts.values() ?? []) {
      said.push(sumsOf(account));
      truth.push([0, 0, 0]);
    }
  }
  return { said, truth };
}

/** The identities of an account, each as a difference. */
function sumsOf(rows: FeedAccount): number[] {
  return [
    rows.read - rows.accepted - rows.rejectedLocally - rows.duplicates,
    rows.accepted - rows.contributed - rows.outranked,
    rows.contributed - rows.live - rows.rejectedRemotely - rows.unexplained,
  ];
}

const COUNTED = ['accepted', 'contributed', 'outranked', 'rejectedRemotely', 'unexplained', 'live'] as const;
const TOLD = ['outranked', 'rejectedRemotely', 'unexplained', 'live'] as const;
const NO_ROWS = Object.fromEntries(COUNTED.map((count) => [count, 0])) as ExpectedAccount;

const accountOrNone = (upload: Accepted | null, feed: string) => (upload === null ? NO_ROWS : accountIn(upload, feed));

/** What was decided of each feed by a proof, and what follows from the rows before and after it. */
function compareDecided(decided: Decided[], before: Accepted | null, after: Accepted | null) {
  const said: unknown[] = [];
  const truth: unknown[] = [];
  for (const { change, decision } of decided) {
    const { feed } = change;
    const [was, is] = [accountOrNone(before, feed), accountOrNone(after, feed)];
    const takesPart = after!.offers.has(feed);
    const isQuiet = !after!.delivered.has(feed);
    const isWhole = takesPart && is.live === is.contributed && change.after!.rejectedLocally === 0;
    said.push([
      feed,
      COUNTED.map((count) => change.after?.[count] ?? 0),
      decision.line !== null,
      decision.unexplained?.count ?? null,
      decision.noneRejected !== null,
    ]);
    truth.push([
      feed,
      COUNTED.map((count) => is[count]),
      isQuiet && TOLD.some((count) => was[count] !== is[count]),
      isQuiet && takesPart ? is.unexplained : null,
      isQuiet && isWhole,
    ]);
  }
  return { said, truth };
}

const textOf = (value: unknown) => JSON.stringify(value, null, 1);

test('in any history every feed has live what the service serves of it, doubts are said, and lost rows are told', async () => {
  const files = modelFiles(tempFolder());
  const met = { certain: 0, doubtful: 0, lost: 0, back: 0, more: 0 };
  const steps = fc.array(anyStep, { minLength: 6, maxLength: 14, size: 'max' });
  const property = fc.asyncProperty(steps, fc.constantFrom(0, 25, 50, 100), async (script, allowed) => {
    const history = modelHistory(files, allowed);
    const { ledger, reference } = history;
    for (const step of script) {
      const before = reference.proved;
      const lostBefore = new Map(ledger.lostRows);
      const decided = await history.take(step);
      const { said, truth } = compare(history);
      const told = compareDecided(decided, before, reference.proved);
      // As text: tens of thousands of comparisons, and a difference is still shown line by line.
      expect(textOf([step, said, told.said])).toBe(textOf([step, truth, told.truth]));
      if (reference.doubt() === null) met.certain += 1;
      else met.doubtful += 1;
      for (const feed of FEEDS) {
        const [was, is] = [lostBefore.get(feed), ledger.lostRows.get(feed)];
        if (was === undefined && is !== undefined) met.lost += 1;
        if (was !== undefined && is === undefined) met.back += 1;
        if (was !== undefined && is !== undefined && is.told > was.told) met.more += 1;
      }
    }
  });
  await fc.assert(property, { numRuns: repetitions(3000) });
  // It is about something: all of this happened again and again.
  expect(Object.entries(met).filter(([, times]) => times < coverage(50))).toEqual([]);
});
