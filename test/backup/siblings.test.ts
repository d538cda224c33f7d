import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { claimPlace, handOver, termsAt } from '../../src/backup/owner.ts';
import type { BackupPlace } from '../../src/backup/place.ts';
import type { Context } from '../../src/context.ts';
import { leaveNote, readNote } from '../../src/ledger/alerts/notes.ts';
import { randomCode, termAfter } from '../../src/ledger/ids.ts';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import {
  noteChosen,
  noteFilled,
  noteTakenOver,
  successorMark,
  successorOf,
  termsBefore,
} from '../../src/ledger/maintenance/restored.ts';
import type { Listed } from '../../src/upload/protocol/attempt.ts';
import { termOfSuccessor } from '../../src/upload/protocol/standing.ts';
import { assertNoSuccessor } from '../../src/upload/send/successor.ts';
import { repetitions } from '../support/repetitions.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { placeOfTexts } from './place-of-texts.ts';

const ORIGINAL = 'the-original';
const RESTORED = {
  place: '/backups',
  backup: 'b',
  madeAt: 1,
  at: 2,
  original: ORIGINAL,
  filled: true,
  complete: true,
  chosen: null,
  term: null,
  fetching: {},
};

/** What each restored installation does; `now`: its clock, which may be wrong. */
type Act = { who: number; what: 'choose' | 'choose blind' | 'upload' | 'look' | 'back up'; now: number };

type World = { ledgers: Ledger[]; list: Listed[]; place: BackupPlace };

const isStopped = async ({ db }: Ledger) => (await readNote(db, 'taken-over')) !== undefined;

async function look({ ledgers, list }: World, who: number): Promise<void> {
  const ctx = { ledger: ledgers[who]!, clock: { now: () => 5 } } as unknown as Context;
  await assertNoSuccessor(list, 'main', ctx).catch(() => undefined);
}

async function upload(world: World, who: number): Promise<void> {
  await look(world, who);
  const { db } = world.ledgers[who]!;
  if (await isStopped(world.ledgers[who]!)) return;
  const token = randomCode(12) + (await successorMark(db));
  const id = String(world.list.length + 1);
  world.list.unshift({ id, state: 'success', sourceFile: `offerline-main-${token}.txt` } as Listed);
}

/** As `restore --resume`: what the service lists and the place says is seen first, where it can be reached. */
async function choose({ ledgers, list, place }: World, { who, what, now }: Act): Promise<void> {
  const { db, id } = ledgers[who]!;
  if ((await successorOf(db)) !== null) return;
  const note = await readNote(db, 'restored');
  if (note === undefined) return;
  const { mark, terms: before } = termsBefore(note);
  const seen = list.flatMap((record) => termOfSuccessor(record, 'main', mark) || []);
  const terms = [...before, ...(what === 'choose' ? [...seen, ...(await termsAt(place))] : [])];
  await noteChosen(db, { chosen: 'live', term: termAfter(terms, now), fetching: {} });
  if (what !== 'choose') return;
  const taken = await handOver(place, id, (await successorOf(db))!, now);
  if (taken !== null) await noteTakenOver(db, taken.takenBy, 'x', now);
}

async function act(world: World, one: Act): Promise<void> {
  const ledger = world.ledgers[one.who]!;
  if (one.what.startsWith('choose')) return choose(world, one);
  const restored = await successorOf(ledger.db);
  if (restored === null || (await isStopped(ledger))) return;
  if (one.what === 'upload') return upload(world, one.who);
  if (one.what === 'look') return look(world, one.who);
  const taken = await claimPlace(world.place, ledger.id, { restored, now: one.now });
  if (taken !== null) await noteTakenOver(ledger.db, taken.takenBy, 'x', one.now);
}

test('of installations that were restored from one backup, exactly one goes on, whatever each does and whatever its clock says', async () => {
  const folder = tempFolder();
  const ledgers = await Promise.all([0, 1, 2].map((at) => openLedger({ file: join(folder, `${at}.sqlite`) })));
  const doing = fc.record<Act>({
    who: fc.nat({ max: 2 }),
    what: fc.constantFrom('choose', 'choose blind', 'upload', 'upload', 'look', 'back up'),
    now: fc.constantFrom(1, 1000, 1_795_916_858_727),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(doing, { maxLength: 25 }), async (acts) => {
      const world: World = { ledgers, list: [], place: placeOfTexts() };
      await claimPlace(world.place, ORIGINAL, { restored: null, now: 1 });
      for (const { db } of ledgers) {
        await db.deleteFrom('meta').where('key', '=', 'taken-over').execute();
        await leaveNote(db, 'restored', RESTORED);
      }
      for (const one of acts) await act(world, one);
      const chosen: { ledger: Ledger; who: number; term: string }[] = [];
      for (const [who, ledger] of ledgers.entries()) {
        const restored = await successorOf(ledger.db);
        if (restored !== null) chosen.push({ ledger, who, term: restored.term });
      }
      for (const what of ['upload', 'upload'] as const) {
        for (const { who } of chosen) await act(world, { who, what, now: 9 });
      }
      const going: string[] = [];
      for (const { ledger, term } of chosen) if (!(await isStopped(ledger))) going.push(term);
      expect(going).toEqual(
        chosen.length === 0
          ? []
          : [
              chosen
                .map(({ term }) => term)
                .toSorted()
                .at(-1),
            ],
      );
    }),
    { numRuns: repetitions(60) },
  );
}, 60_000);

/** What each of four does in a chain: the first one is the original, the others are restored from whatever backup of another one there is. */
type Link = Omit<Act, 'what'> & { what: Act['what'] | 'restore'; of: number };

/** Makes a ledger from a backup of another one, as it is now. */
async function restore({ ledgers }: World, { who, of }: Link): Promise<void> {
  const { db } = ledgers[who]!;
  const other = ledgers[of]!;
  if (who === 0 || who === of || (await readNote(db, 'restored')) !== undefined) return;
  const note = (await readNote(other.db, 'restored')) ?? null;
  // Nobody backs up what was not made yet.
  if (of !== 0 && note === null) return;
  await leaveNote(db, 'restored', { ...RESTORED, original: other.id });
  await noteFilled(db, note);
}

async function actInChain(world: World, one: Link): Promise<void> {
  if (one.what === 'restore') return restore(world, one);
  if (one.who !== 0) return act(world, { ...one, what: one.what });
  const original = world.ledgers[0]!;
  if (await isStopped(original)) return;
  if (one.what === 'upload') return upload(world, 0);
  if (one.what === 'look') return look(world, 0);
}

test('in a chain of restores, of restored ones and beside siblings, exactly one goes on: the one that was chosen last', async () => {
  const folder = tempFolder();
  const ledgers = await Promise.all([0, 1, 2, 3].map((at) => openLedger({ file: join(folder, `${at}.sqlite`) })));
  const doing = fc.record<Link>({
    who: fc.nat({ max: 3 }),
    of: fc.constant(0),
    what: fc.constantFrom('choose', 'choose', 'choose blind', 'upload', 'look'),
    now: fc.constantFrom(1, 1000, 1_795_916_858_727),
  });
  /** Each of three is restored from the one before it or an earlier one, in between something happens. */
  const happening = fc
    .record({
      of: fc.tuple(fc.constant(0), fc.nat({ max: 1 }), fc.nat({ max: 2 })),
      between: fc.array(fc.array(doing, { maxLength: 4 }), { minLength: 4, maxLength: 4 }),
    })
    .map(({ of, between }) => {
      const restores = of.map((one, at): Link => ({ who: at + 1, of: one, what: 'restore', now: 1 }));
      const choices = [1, 2, 3].map((who): Link => ({ who, of: 0, what: 'choose', now: 1 }));
      const begun = restores.flatMap((one, at) => between[at]!.concat(one));
      return begun.concat(between[3]!, choices);
    });
  await fc.assert(
    fc.asyncProperty(happening, async (acts) => {
      // Each backs up to a place of its own: the names of uploads alone have to do.
      const world: World = { ledgers, list: [], place: placeOfTexts() };
      for (const { db } of ledgers)
        await db.deleteFrom('meta').where('key', 'in', ['taken-over', 'restored']).execute();
      for (const one of acts) {
        world.place = placeOfTexts();
        await actInChain(world, one);
      }
      const chosen: { ledger: Ledger; who: number; term: string }[] = [];
      for (const [who, ledger] of ledgers.entries()) {
        const restored = await successorOf(ledger.db);
        if (restored !== null) chosen.push({ ledger, who, term: restored.term });
      }
      for (const what of ['upload', 'upload'] as const) {
        for (const who of [0, ...chosen.map((one) => one.who)]) await actInChain(world, { who, what, now: 9, of: 0 });
      }
      const going: number[] = [];
      for (const { who, ledger } of [{ who: 0, ledger: ledgers[0]! }, ...chosen]) {
        if (!(await isStopped(ledger))) going.push(who);
      }
      const [last] = chosen.toSorted((a, b) => (a.term < b.term ? 1 : -1));
      expect(going).toEqual([last?.who ?? 0]);
    }),
    { numRuns: repetitions(150) },
  );
}, 60_000);

test('a term is greater than those that were seen, in the order of texts', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 2 ** 45 - 2 })), fc.nat({ max: 2 ** 44 }), (times, now) => {
      const seen = times.filter((time) => time < 2 ** 44).map((time) => termAfter([], time));
      const term = termAfter(seen, now);
      expect(term).toMatch(/^[0-9a-z]{12}$/u);
      for (const one of seen) expect(term > one).toBe(true);
    }),
    { numRuns: repetitions(200) },
  );
});
