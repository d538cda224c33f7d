import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../../../src/context.ts';
import { OfferlineError } from '../../../../src/errors.ts';
import { workOf, peopleNow } from '../../../../src/jobs/alerts/people.ts';
import {
  giveIncident,
  noteIncident,
  quietIncident,
  releaseIncident,
  takeIncident,
} from '../../../../src/jobs/decisions/incident/work.ts';
import { insertUser, updateUser } from '../../../../src/ledger/access/users.ts';
import { workOn } from '../../../../src/ledger/alerts/incident-work.ts';
import { findIncident, openIncident, raise, recover } from '../../../../src/ledger/alerts/incidents.ts';
import { noteDelivery } from '../../../../src/ledger/runs/deliveries.ts';
import { feedState } from '../../../../src/ledger/runs/feeds.ts';
import { repetitions } from '../../../support/repetitions.ts';
import { contextFor } from '../../../upload/upload-world.ts';

const START = Date.UTC(2026, 4, 4, 6, 0, 0);
const HOUR = 3_600_000;
const WHAT = { kind: 'unbalanced', login: 'main', feed: 'north' } as const;

/** An installation with the users anna and bernd, whose clock stands still until a test moves it. */
async function world() {
  const source = { type: 'directory', path: '.' };
  const opened = await contextFor('http://127.0.0.1:9', {
    feeds: { north: { login: 'main', source }, south: { login: 'main', source } },
    managers: [{ email: 'brakes@example.com' }, { email: 'south@example.com', feeds: ['south'] }],
  });
  let now = START;
  const ctx: Context = { ...opened, clock: { ...opened.clock, now: () => now } };
  const { db } = ctx.ledger;
  for (const name of ['anna', 'bernd']) await insertUser(db, user(name));
  await feedState(db, 'north', 'main');
  return {
    ctx,
    db,
    pass: (hours: number) => (now += hours * HOUR),
    raise: (unexplained = 1, cause = '') =>
      raise(
        db,
        {
          ...WHAT,
          cause,
          reason: { code: 'rows-unexplained', count: unexplained, contributed: 9 },
          numbers: { unexplained },
        },
        now,
      ),
    open: async () => (await openIncident(db, WHAT))!,
    work: async (id: string) => workOf((await findIncident(db, id))!, await peopleNow(ctx), now),
  };
}

function user(name: string) {
  const times = { created_at: START, changed_at: START, disabled_at: null };
  return { name, role: 'ops', email: `${name}@example.com`, language: null, password: 'x', ...times } as const;
}

/** Somebody at a terminal who says who they are. */
function by(as: string) {
  return { who: 'root', via: 'cli', origin: 'desk', as } as const;
}

describe('an incident', () => {
  test('is taken by one; the second is told who has it, and may take it over', async () => {
    const { ctx, db, raise: begin, open, work } = await world();
    await begin();
    const { id } = await open();
    await takeIncident(id, {}, by('anna'), ctx);
    await expect(takeIncident(id, {}, by('bernd'), ctx)).rejects.toThrow(
      `anna has had incident ${id} since 2026-05-04 06:00:00 UTC. Talk to them; --force does it all the same.`,
    );
    await takeIncident(id, {}, by('Anna'), ctx);
    await takeIncident(id, { from: 'anna' }, by('bernd'), ctx);
    await expect(takeIncident(id, { from: 'anna' }, by('carl'), ctx)).rejects.toThrow('bernd has had incident');
    expect(await work(id)).toMatchObject({ taken: { by: 'bernd', hasMail: true, gone: false }, quiet: null });
    expect((await workOn(db, [id])).map(({ who, action, reason }) => [who, action, reason])).toEqual([
      ['root', 'take-incident', 'taken as anna'],
      ['root', 'take-incident', 'taken as bernd over from anna'],
    ]);
  });

  test('that many take at the same moment has one of them', async () => {
    const { ctx, db, raise: begin, open, work } = await world();
    await begin();
    const { id } = await open();
    const names = Array.from({ length: 12 }, (_, n) => `person ${n}`);
    const tried = await Promise.allSettled(names.map((name) => takeIncident(id, {}, by(name), ctx)));
    const won = names.filter((_, n) => tried[n]?.status === 'fulfilled');
    expect(won).toHaveLength(1);
    expect((await work(id)).taken?.by).toBe(won[0]);
    expect(await workOn(db, [id])).toHaveLength(1);
  });

  test('is given to a user or an address of managers only', async () => {
    const { ctx, raise: begin, open, work } = await world();
    await begin();
    const { id } = await open();
    await expect(giveIncident(id, { to: 'nobody' }, by('anna'), ctx)).rejects.toMatchObject({ code: 'not-found' });
    await giveIncident(id, { to: 'Brakes@example.com' }, by('anna'), ctx);
    expect((await work(id)).taken).toMatchObject({ by: 'Brakes@example.com', hasMail: true, gone: false });
    await expect(releaseIncident(id, {}, by('anna'), ctx)).rejects.toMatchObject({ code: 'conflict' });
    // Whoever has the address is the same person; two users who share one are not.
    await insertUser(ctx.ledger.db, { ...user('bea'), email: 'brakes@example.com' });
    await releaseIncident(id, {}, by('bea'), ctx);
    await insertUser(ctx.ledger.db, { ...user('cora'), email: 'brakes@example.com' });
    await takeIncident(id, {}, by('cora'), ctx);
    await expect(takeIncident(id, {}, by('bea'), ctx)).rejects.toMatchObject({ code: 'conflict' });
    await releaseIncident(id, {}, by('cora'), ctx);
    await expect(releaseIncident(id, {}, by('anna'), ctx)).rejects.toThrow(`Nobody has incident ${id}`);
  });

  test('is given to nobody who does not see what it is about', async () => {
    const { ctx, db, raise: begin, open } = await world();
    await begin();
    const { id } = await open();
    await insertUser(db, { ...user('mira'), role: 'manager', email: 'south@example.com' });
    for (const to of ['mira', 'south@example.com'])
      await expect(giveIncident(id, { to }, by('anna'), ctx)).rejects.toThrow(
        `"${to}" cannot do anything about incident ${id}`,
      );
    const what = { kind: 'unreachable', login: 'main' } as const;
    await raise(db, { ...what, reason: { code: 'no-usable-answer', since: START, note: 'x' } }, START);
    const ofLogin = (await openIncident(db, what))!.id;
    // Who sees some feeds is not shown what is of none.
    await insertUser(db, { ...user('nina'), role: 'manager', email: 'brakes@example.com' });
    await insertUser(db, { ...user('olaf'), role: 'viewer' });
    for (const to of ['mira', 'olaf'])
      await expect(giveIncident(ofLogin, { to }, by('anna'), ctx)).rejects.toMatchObject({ code: 'usage' });
    await expect(takeIncident(id, {}, { ...by('anna'), as: 'mira' }, ctx)).rejects.toMatchObject({ code: 'usage' });
  });

  test('keeps notes, also when it is over; nothing else is done about it then', async () => {
    const { ctx, db, raise: begin, open } = await world();
    await begin();
    const { id } = await open();
    await noteIncident(id, ' called them ', by('anna'), ctx);
    await recover(db, { ...WHAT, text: 'every row is explained' }, START + 1);
    await noteIncident(id, 'it was the columns', { ...by('anna'), who: 'anna' }, ctx);
    expect((await workOn(db, [id])).map(({ reason }) => reason)).toEqual(['anna: called them', 'it was the columns']);
    for (const act of [takeIncident(id, {}, by('anna'), ctx), quietIncident(id, '2h', by('anna'), ctx)])
      await expect(act).rejects.toThrow(`Incident ${id} has been over since 2026-05-04 06:00:00 UTC.`);
    await expect(noteIncident(id, '  ', by('anna'), ctx)).rejects.toMatchObject({ code: 'usage' });
    await expect(noteIncident(id, 'x'.repeat(2001), by('anna'), ctx)).rejects.toThrow('has 2001 characters');
    await expect(takeIncident(id, {}, by('\u0000'), ctx)).rejects.toMatchObject({ code: 'usage' });
  });

  test('of a login as a whole has no next delivery that could end its quiet', async () => {
    const { ctx, db } = await world();
    const what = { kind: 'unreachable', login: 'main' } as const;
    await raise(db, { ...what, reason: { code: 'no-usable-answer', since: START, note: 'x' } }, START);
    const { id } = (await openIncident(db, what))!;
    await expect(quietIncident(id, 'delivery', by('anna'), ctx)).rejects.toThrow('is about no single feed');
    await expect(quietIncident(id, 'worse', by('anna'), ctx)).rejects.toThrow('cannot get worse');
    await quietIncident(id, '3d', by('anna'), ctx);
  });
});

/** What may befall an incident. `as`: who acts. */
type Event =
  | { do: 'take' | 'release'; as: Name; force: boolean }
  | { do: 'give'; as: Name; to: Name; force: boolean }
  | { do: 'note'; as: Name }
  | { do: 'quiet'; as: Name; until: 'delivery' | 'worse' | '2h' | 'now' }
  | { do: 'grow'; to: number }
  | { do: 'replace' | 'graver' | 'gravest' | 'deliver' | 'end' }
  | { do: 'switch'; name: 'anna' | 'bernd' }
  | { do: 'pass'; hours: number };

/** Two users, and one who is only a name. */
type Name = 'anna' | 'bernd' | 'carl';

/** The same as a plain value: what people expect of it. */
type Model = {
  open: boolean;
  extent: number;
  now: number;
  disabled: Set<string>;
  holder: { name: Name; isUser: boolean } | null;
  quiet: { until: string; ends: number | null; extent: number } | null;
};

const name = fc.constantFrom<Name>('anna', 'bernd', 'carl');
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ do: fc.constantFrom('take', 'release'), as: name, force: fc.boolean() }),
  fc.record({ do: fc.constant('give'), as: name, to: name, force: fc.boolean() }),
  fc.record({ do: fc.constant('note'), as: name }),
  fc.record({ do: fc.constant('quiet'), as: name, until: fc.constantFrom('delivery', 'worse', '2h', 'now') }),
  fc.record({ do: fc.constant('grow'), to: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constantFrom('replace', 'graver', 'gravest', 'deliver', 'end') }),
  fc.record({ do: fc.constant('switch'), name: fc.constantFrom('anna', 'bernd') }),
  fc.record({ do: fc.constant('pass'), hours: fc.integer({ min: 1, max: 3 }) }),
) as fc.Arbitrary<Event>;

function isGone({ holder, disabled }: Model): boolean {
  return holder !== null && holder.isUser && disabled.has(holder.name);
}

function isQuiet({ open, quiet, now }: Model): boolean {
  return open && quiet !== null && (quiet.ends === null || quiet.ends > now);
}

/** Whether what somebody has may be taken from them. */
function isFree(model: Model, as: Name, force: boolean): boolean {
  return model.holder === null || model.holder.name === as || force || isGone(model);
}

function isUser(model: Model, who: Name): boolean {
  return who !== 'carl' && !model.disabled.has(who);
}

/** Plays an event on the model; the code of the refusal, or null. */
function play(model: Model, one: Event): string | null {
  const { open } = model;
  switch (one.do) {
    case 'take':
      if (!open) return 'conflict';
      if (!isFree(model, one.as, one.force)) return 'conflict';
      if (model.holder?.name !== one.as || isGone(model))
        model.holder = { name: one.as, isUser: isUser(model, one.as) };
      return null;
    case 'give':
      if (open && !isFree(model, one.as, one.force)) return 'conflict';
      if (!isUser(model, one.to)) return 'not-found';
      if (!open) return 'conflict';
      if (model.holder?.name !== one.to || isGone(model)) model.holder = { name: one.to, isUser: true };
      return null;
    case 'release':
      if (!open || !isFree(model, one.as, one.force)) return 'conflict';
      if (model.holder === null && !isQuiet(model)) return 'conflict';
      model.holder = null;
      model.quiet = null;
      return null;
    case 'note':
      return null;
    case 'quiet':
      if (!open) return 'conflict';
      model.quiet =
        one.until === 'now'
          ? null
          : { until: one.until, ends: one.until === '2h' ? model.now + 2 * HOUR : null, extent: model.extent };
      return null;
    case 'grow':
      // A new one begins where the last one is over.
      if (!open) Object.assign(model, { open: true, holder: null, quiet: null });
      else if (model.quiet !== null && one.to > model.quiet.extent) model.quiet = null;
      model.extent = one.to;
      return null;
    case 'replace':
      // Who works on it goes on; what was waited for has come.
      Object.assign(model, { quiet: null, extent: 1, ...(open ? {} : { holder: null }), open: true });
      return null;
    case 'graver':
    case 'gravest':
      model.quiet = null;
      return null;
    case 'deliver':
      if (model.quiet?.until === 'delivery') model.quiet = null;
      return null;
    case 'end':
      model.open = false;
      return null;
    case 'switch':
      if (!model.disabled.delete(one.name)) model.disabled.add(one.name);
      return null;
    case 'pass':
      model.now += one.hours * HOUR;
      return null;
  }
}

/** Does the same to a ledger. */
async function carryOut(one: Event, shop: Awaited<ReturnType<typeof world>>, n: number, id: string, model: Model) {
  const { ctx, db } = shop;
  const graver = async (what: { kind: 'expiry' | 'credentials'; login: 'main'; feed?: 'north' }) => {
    await raise(db, { ...what, reason: { code: 'expired' } }, ctx.clock.now());
    await recover(db, { ...what, text: 'over' }, ctx.clock.now());
  };
  switch (one.do) {
    case 'take':
      return takeIncident(id, { force: one.force }, by(one.as), ctx);
    case 'give':
      return giveIncident(id, { to: one.to, force: one.force }, by(one.as), ctx);
    case 'release':
      return releaseIncident(id, { force: one.force }, by(one.as), ctx);
    case 'note':
      return noteIncident(id, 'a note', by(one.as), ctx);
    case 'quiet':
      return quietIncident(id, one.until, by(one.as), ctx);
    case 'grow':
      return shop.raise(one.to, (await openIncident(db, WHAT))?.cause);
    case 'replace':
      return shop.raise(1, `cause ${n}`);
    case 'graver':
      return graver({ kind: 'expiry', login: 'main', feed: 'north' });
    case 'gravest':
      return graver({ kind: 'credentials', login: 'main' });
    case 'deliver':
      return noteDelivery(db, { feed: 'north', login: 'main', name: 'a.csv', fingerprint: `${n}` }, ctx.clock.now());
    case 'end':
      return recover(db, { ...WHAT, text: 'every row is explained' }, ctx.clock.now());
    case 'switch':
      return updateUser(db, one.name, { disabled_at: model.disabled.has(one.name) ? START : null });
    case 'pass':
      return shop.pass(one.hours);
  }
}

test('whatever befalls an incident, who works on it and its quiet are as people expect', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 40 }), async (events) => {
      const shop = await world();
      const model: Model = { open: true, extent: 1, now: START, disabled: new Set(), holder: null, quiet: null };
      await shop.raise();
      let id = (await shop.open()).id;
      for (const [n, one] of events.entries()) {
        const refusal = play(model, one);
        const tried = await carryOut(one, shop, n, id, model).then(
          () => null,
          (error: unknown) => (error instanceof OfferlineError ? error.code : error),
        );
        expect(tried).toBe(refusal);
        id = (await openIncident(shop.db, WHAT))?.id ?? id;
        const { taken, quiet } = await shop.work(id);
        expect(taken?.by ?? null).toBe(model.holder?.name ?? null);
        expect(taken?.gone ?? false).toBe(model.open && isGone(model));
        expect(quiet?.until ?? null).toBe(isQuiet(model) ? model.quiet!.until.replace('2h', 'time') : null);
      }
    }),
    { numRuns: repetitions(300) },
  );
}, 120_000);
