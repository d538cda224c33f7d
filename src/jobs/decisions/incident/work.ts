import type { Context } from '../../../context.ts';
import { OfferlineError } from '../../../errors.ts';
import { canBeGraver, extentOf } from '../../../incidents.ts';
import { recordDecision } from '../../../ledger/alerts/audit.ts';
import { changeWork, subjectOf } from '../../../ledger/alerts/incident-work.ts';
import { tellOfChange } from '../../../ledger/alerts/incidents.ts';
import { getIncident } from '../../../ledger/alerts/named-incident.ts';
import type { AuditRow, IncidentRow } from '../../../ledger/schema/schema.ts';
import { moment } from '../../../wording/words.ts';
import { isGone, isQuietAt, isSamePerson, peopleNow, type People } from '../../alerts/people.ts';
import type { Decider } from '../review.ts';
import { readQuietEnd } from './until.ts';

/** Who acts. `as`: the name that people know them by, where it is not the one that the audit has. */
export type Worker = Decider & { as?: string | undefined };

/** Whether what somebody else has may be taken from them: from anybody, or from the one who had it when the reader looked. */
export type Over = { force?: boolean | undefined; from?: string | undefined };

/** Characters of a note; longer ones are documents. */
const LONGEST_NOTE = 2000;

/**
 * Takes an incident: others are not reminded of it while somebody works on it. Taking again what one has changes nothing. Fails with
 * `conflict` when somebody else has it, unless `over` allows that, and when it is over.
 */
export async function takeIncident(id: string, over: Over, worker: Worker, ctx: Context): Promise<void> {
  const who = nameOf(worker);
  await change(id, worker, ctx, ({ row, people, at }) => {
    const from = assertFree(row, who, over, people);
    if (hasIt(row, who, people)) return null;
    const kind = people.find(who)?.kind ?? 'name';
    if (kind !== 'name') assertMayWork(row, who, people);
    return {
      set: { taken_by: who, taken_as: kind, taken_at: at, holder_told_at: at },
      action: 'take-incident',
      reason: `taken${asText(worker)}${from === null ? '' : ` over from ${from}`}`,
    };
  });
}

/**
 * Gives an incident to a user of the console or to an address of `managers`, who gets a mail about it. Fails with `not-found` when there
 * is nobody of this name, with `usage` when they do not see its feed, or no feed of its login, and as `takeIncident` does.
 */
export async function giveIncident(
  id: string,
  { to, ...over }: Over & { to: string },
  worker: Worker,
  ctx: Context,
): Promise<void> {
  await change(id, worker, ctx, ({ row, people, at }) => {
    const from = assertFree(row, nameOf(worker), over, people);
    const name = to.trim();
    const known = people.find(name);
    if (known === null)
      throw new OfferlineError(
        'not-found',
        `There is nobody called "${name}" to give it to: name a user of the console, or an address of managers.`,
      );
    assertMayWork(row, name, people);
    if (hasIt(row, name, people)) return null;
    return {
      set: { taken_by: name, taken_as: known.kind, taken_at: at, holder_told_at: null },
      action: 'give-incident',
      reason: `given to ${name}${asText(worker)}${from === null ? '' : `, from ${from}`}`,
    };
  });
}

/** Gives an incident back: nobody has it, and it is not quiet any more. Fails with `conflict` as `takeIncident` does, and when neither was so. */
export async function releaseIncident(id: string, over: Over, worker: Worker, ctx: Context): Promise<void> {
  await change(id, worker, ctx, ({ row, people, now }) => {
    const from = assertFree(row, nameOf(worker), over, people);
    const isQuiet = isQuietAt(row, now);
    if (row.taken_by === null && !isQuiet)
      throw new OfferlineError('conflict', `Nobody has incident ${row.id}, and it is not quiet.`);
    return {
      set: {
        taken_by: null,
        taken_as: null,
        taken_at: null,
        holder_told_at: null,
        ...(isQuiet ? { quiet_ended_at: now } : {}),
      },
      action: 'release-incident',
      reason: `released${asText(worker)}${from === null ? '' : `, from ${from}`}`,
    };
  });
}

/**
 * Has nobody reminded of an incident until something happens, as `readQuietEnd` reads it; a quiet that it has is replaced. Fails with
 * `conflict` when it is over, and with `usage` when it is of no feed and so has no next delivery.
 */
export async function quietIncident(id: string, until: string, worker: Worker, ctx: Context): Promise<void> {
  await change(id, worker, ctx, ({ row, at, now }) => {
    const end = readQuietEnd(until, now);
    if (end.until === 'worse' && extentOf(row.kind, row.numbers) === null && !canBeGraver(row.kind))
      throw new OfferlineError('usage', `Incident ${row.id} cannot get worse: name a time or the next delivery.`);
    if (end.until === 'delivery' && row.feed === null)
      throw new OfferlineError(
        'usage',
        `Incident ${row.id} is about no single feed, so no delivery ends it: name a time, or worse.`,
      );
    return {
      set: {
        quiet_until: end.until,
        quiet_ends_at: end.ends,
        quiet_at: at,
        quiet_by: nameOf(worker),
        quiet_ended_at: null,
        quiet_extent: extentOf(row.kind, row.numbers),
      },
      action: 'quiet-incident',
      reason: `quiet until ${end.ends === null ? end.until : moment(end.ends)}${asText(worker)}`,
    };
  });
}

/** Writes a note about an incident, also about one that is over. Fails with `usage` for an empty text and for one that is too long. */
export async function noteIncident(id: string, note: string, worker: Worker, ctx: Context): Promise<void> {
  const text = note.replaceAll(/\r\n?/gu, '\n').trim();
  if (text.includes('\0')) throw new OfferlineError('usage', 'The note has a character that is none (U+0000).');
  if (text === '') throw new OfferlineError('usage', 'The note is empty; write what you found or did.');
  if (text.length > LONGEST_NOTE)
    throw new OfferlineError('usage', `The note has ${text.length} characters; ${LONGEST_NOTE} is the limit.`);
  const { who } = worker;
  const reason = nameOf(worker) === who ? text : `${nameOf(worker)}: ${text}`;
  await change(id, worker, ctx, () => ({ set: {}, action: 'note-incident', reason }));
}

type Step = {
  set: Parameters<typeof changeWork>[2];
  action: AuditRow['action'];
  reason: string;
};

/** What a step is decided by; `at` is later than what was done before, also where the clock does not show it. */
type Found = { row: IncidentRow; people: People; at: number; now: number };

/** Those who lose a race look again; nobody loses as often as this. */
const TRIES = 20;

/** Decides by how an incident stands, and records it when it still stands so; else it is decided anew. */
async function change(id: string, worker: Worker, ctx: Context, decide: (found: Found) => Step | null): Promise<void> {
  const { as: _as, ...decider } = worker;
  nameOf(worker);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const people = await peopleNow(ctx);
    const done = await ctx.ledger.transaction(async (trx) => {
      const row = await getIncident(trx, id);
      const now = ctx.clock.now();
      const at = Math.max(now, (row.worked_at ?? 0) + 1);
      const step = decide({ row, people, at, now });
      if (step === null) return true;
      const { set, action, reason } = step;
      // What is over is history: only notes are added to it.
      if (row.recovered_at !== null && action !== 'note-incident')
        throw new OfferlineError('conflict', `Incident ${row.id} has been over since ${moment(row.recovered_at)}.`);
      if (row.recovered_at === null && !(await changeWork(trx, row, set, at))) return false;
      if (row.recovered_at === null) await tellOfChange(trx, { ...row, ...set }, 'work', at);
      await recordDecision(trx, { at, action, subject: subjectOf(row.id), reason, ...decider });
      return true;
    });
    if (done) return;
  }
  throw new OfferlineError('conflict', `Incident ${id} is being worked on by too many at once; try again.`);
}

/** Whom it is taken from; null where nobody else has it. Fails with `conflict` when that is not allowed. */
function assertFree(row: IncidentRow, who: string, { force, from }: Over, people: People): string | null {
  const { id, taken_by: holder, taken_at, recovered_at } = row;
  if (recovered_at !== null || holder === null || people.areSame(holder, who)) return null;
  if (force === true || isGone(row, people) || (from !== undefined && isSamePerson(from, holder))) return holder;
  throw new OfferlineError(
    'conflict',
    `${holder} has had incident ${id} since ${moment(taken_at ?? row.opened_at)}. Talk to them; --force does it all the same.`,
  );
}

/** Fails with `usage` for somebody who does not see what an incident is about, or may only look. */
function assertMayWork(row: IncidentRow, name: string, people: People): void {
  if (people.mayWorkOn(name, row)) return;
  throw new OfferlineError(
    'usage',
    `"${name}" cannot do anything about incident ${row.id}: it is about something that they do not see, or they may only look. Name somebody else.`,
  );
}

function hasIt(row: IncidentRow, who: string, people: People): boolean {
  return (
    row.recovered_at === null && row.taken_by !== null && people.areSame(row.taken_by, who) && !isGone(row, people)
  );
}

/** The name by which others know who acts. Fails with `usage` for one that cannot be shown. */
export function nameOf({ who, as }: Pick<Worker, 'who' | 'as'>): string {
  if (as === undefined) return who;
  const name = as.trim().normalize('NFC');
  if (/^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,_@'+-]{0,63}$/u.test(name)) return name;
  throw new OfferlineError(
    'usage',
    `"${as}" is no name: write at most 64 letters, digits, blanks and . , _ @ ' + -, beginning with a letter or digit.`,
  );
}

function asText(worker: Worker): string {
  const name = nameOf(worker);
  return name === worker.who ? '' : ` as ${name}`;
}
