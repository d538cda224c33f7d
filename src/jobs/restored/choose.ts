import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { recordDecision } from '../../ledger/alerts/audit.ts';
import { readNote, type RestoreChoice, type RestoreNote } from '../../ledger/alerts/notes.ts';
import { dictionary } from '../../io/dictionary.ts';
import type { Db } from '../../ledger/ledger.ts';
import { termAfter } from '../../ledger/ids.ts';
import { pauseOver } from '../../ledger/runs/pauses.ts';
import { nextPush } from '../../ledger/pushed.ts';
import { forgetUntold } from '../../ledger/hooks/messages.ts';
import { createRun } from '../../ledger/runs/runs.ts';
import { fence, type Lease } from '../../ledger/lease.ts';
import { noteChosen, termsBefore } from '../../ledger/maintenance/restored.ts';
import { termOfSuccessor } from '../../upload/protocol/standing.ts';
import { forShell } from '../../wording/escapes.ts';
import type { Decision } from '../decisions/review.ts';
import { withLeaseSoon } from '../logins/with-lease.ts';
import { planLogin, type LoginPlan, type Resumed } from './plan-login.ts';

/** The note of a restore about which nobody has decided yet. Fails with `conflict` where there is none. */
export async function undecidedRestore(ctx: Pick<Context, 'ledger'>): Promise<RestoreNote> {
  const note = await readNote(ctx.ledger.db, 'restored');
  if (note === undefined) {
    throw new OfferlineError(
      'conflict',
      'This installation was not restored from a backup. Name one: `offerline restore FROM`.',
    );
  }
  if (!note.complete) {
    const message = `The restore of the backup ${note.backup} has not ended: run \`offerline restore ${forShell(note.place)} --backup ${note.backup}\` again.`;
    throw new OfferlineError('conflict', message);
  }
  if (note.chosen !== null) {
    throw new OfferlineError(
      'conflict',
      `What to go on with was chosen already: ${note.chosen}. There is nothing left to choose.`,
    );
  }
  return note;
}

/**
 * Lets a restored installation go on. `live`: what the services serve stays, and what the backup does not know of it is taken over as if this ledger had
 * brought it; an upload that was open when the backup was made and that the service does not list is not sent. `backup`: what the backup knows to be live
 * is sent again wherever something else is. It is made at all logins or at none. Fails with the service's error where a login cannot be asked,
 * and with `conflict` where an upload is under way at one: then it may be repeated. `seen`: the terms of those that have gone on from these backups before.
 */
export async function chooseAfterRestore(
  choice: RestoreChoice,
  decision: Decision,
  ctx: Context,
  { signal, seen }: { signal: AbortSignal; seen: readonly string[] },
): Promise<Resumed[]> {
  const { resumed } = await withLeaseSoon('restore-choice', ctx, async () => {
    return { resumed: await choose(choice, decision, ctx, { signal, seen }) };
  });
  return resumed;
}

/** Nobody else chooses meanwhile. */
async function choose(
  choice: RestoreChoice,
  decision: Decision,
  ctx: Context,
  { signal, seen }: { signal: AbortSignal; seen: readonly string[] },
): Promise<Resumed[]> {
  const note = await undecidedRestore(ctx);
  const { mark, terms: before } = termsBefore(note);
  const logins = Object.keys(ctx.config.logins);
  return withLogins(logins, [], ctx, async (leases) => {
    const plans: LoginPlan[] = [];
    for (const login of logins) plans.push(await planLogin(choice, login, ctx, signal));
    const shown = plans.flatMap(({ resumed: { login }, records }) =>
      records.flatMap((record) => termOfSuccessor(record, login, mark) || []),
    );
    const taken = plans.filter(({ resumed }) => resumed.done === 'taken-over');
    const fetched = await ctx.ledger.transaction(async (trx) => {
      for (const lease of leases) await fence(trx, lease);
      for (const { write } of plans) await write(trx);
      const begun = await fetchAnew(trx, taken, ctx);
      await forgetUntold(trx, ctx.clock.now());
      const subject = `restore of ${note.backup}: ${choice}`;
      await recordDecision(trx, { at: ctx.clock.now(), action: 'resume', subject, ...decision });
      const fetching = dictionary([...begun].map(([login, { runs }]) => [login, runs] as const));
      const term = termAfter([...seen, ...before, ...shown], ctx.clock.now());
      const pushes = dictionary([...begun.values()].flatMap((its) => its.pushes));
      await noteChosen(trx, { chosen: choice, term, fetching, pushes });
      return begun;
    });
    return plans.map(({ resumed }) => {
      const { fetches, awaits, paused } = fetched.get(resumed.login) ?? resumed;
      return Object.assign(resumed, { fetches, awaits, paused });
    });
  });
}

/** Works under the leases of all these logins. */
async function withLogins<T extends object>(
  logins: readonly string[],
  held: readonly Lease[],
  ctx: Context,
  work: (leases: readonly Lease[]) => Promise<T>,
): Promise<T> {
  const [login, ...others] = logins;
  if (login === undefined) return work(held);
  return withLeaseSoon(`login-${login}`, ctx, (lease) => withLogins(others, [...held, lease], ctx, work));
}

type Fetched = Pick<Resumed, 'fetches' | 'awaits' | 'paused'> & {
  runs: string[];
  pushes: [feed: string, since: number][];
};

/**
 * Starts a run of each feed of some logins that is not paused: what is live there has rows that this ledger never saw. What was pushed lies nowhere any more:
 * such a feed waits for a push, unless what is live is what the backup knows.
 */
async function fetchAnew(trx: Db, taken: readonly LoginPlan[], ctx: Context): Promise<Map<string, Fetched>> {
  const fetched = new Map(
    taken.map(({ resumed }): [string, Fetched] => [
      resumed.login,
      { fetches: [], awaits: [], paused: [], runs: [], pushes: [] },
    ]),
  );
  const known = new Set(taken.filter(({ isKnown }) => isKnown).map(({ resumed }) => resumed.login));
  for (const [feed, { login, source }] of Object.entries(ctx.config.feeds)) {
    const its = fetched.get(login);
    if (its === undefined) continue;
    const now = ctx.clock.now();
    if ((await pauseOver(trx, feed, login)) !== undefined) {
      its.paused.push(feed);
    } else if (source.type !== 'push') {
      its.runs.push(await createRun(trx, { feed, login, cause: 'manual', options: {}, sandbox: ctx.sandbox, now }));
      its.fetches.push(feed);
    } else if (!known.has(login)) {
      its.pushes.push([feed, await nextPush(trx, feed, now)]);
      its.awaits.push(feed);
    }
  }
  return fetched;
}
