import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { recordDecision } from '../../ledger/alerts/audit.ts';
import { readNote, type RestoreChoice, type RestoreNote } from '../../ledger/alerts/notes.ts';
import { dictionary } from '../../io/dictionary.ts';
import type { Db } from '../../ledger/ledger.ts';
import { termAfter } from '../../ledger/ids.ts';
import { pauseOver } from '../../ledger/runs/pauses.ts';
import { forgetUntold } from '../../ledger/hooks/messages.ts';
import { createRun } from '../../ledger/runs/runs.ts';
import { withFencedTransaction } from '../../ledger/lease.ts';
import { noteChosen, termsBefore } from '../../ledger/maintenance/restored.ts';
import { abandonUnsent } from '../../ledger/uploads/abandon-unsent.ts';
import { lastVerified } from '../../ledger/uploads/accepted-uploads.ts';
import { createRollback, openIntent } from '../../ledger/uploads/intents.ts';
import { attemptsOf } from '../../ledger/uploads/uploads.ts';
import { attemptsSince } from '../../ledger/uploads/watches.ts';
import { isUnfinished } from '../../upload/protocol/service-record.ts';
import type { Listed } from '../../upload/protocol/attempt.ts';
import { standingOf, termOfSuccessor } from '../../upload/protocol/standing.ts';
import { listUntilKnown } from '../../upload/send/probe.ts';
import type { Decision } from '../decisions/review.ts';
import { withLeaseSoon } from '../logins/with-lease.ts';
import { takeOverLive } from '../watch/take-over.ts';
import type { Watching } from '../watch/watch-facts.ts';

/** What became of a login when somebody chose what to go on with. */
export type Resumed = {
  login: string;
  done: 'nothing' | 'taken-over' | 'sent-again';
  /** The upload that was taken over, or the one whose dataset is sent again. */
  offerId: string | null;
  rows: number | null;
  /** The feeds that are fetched before anything of the login is sent, and those that are not because they are paused; both empty where nothing was taken over. */
  fetches: string[];
  paused: string[];
};

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
    const message = `The restore of the backup ${note.backup} has not ended: run \`offerline restore\` with ${note.place} again.`;
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
 * is sent again wherever something else is. Each login is decided before anything works on it. Fails with the service's error where a login cannot be asked,
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
  const done: Resumed[] = [];
  const terms = [...seen, ...before];
  for (const login of Object.keys(ctx.config.logins)) {
    const work = async (lease: Watching['lease']) => ({
      ...(await resumeLogin(choice, { login, lease, signal }, ctx, (records) => {
        terms.push(...records.flatMap((record) => termOfSuccessor(record, login, mark) || []));
      })),
    });
    done.push(await withLeaseSoon(`login-${login}`, ctx, work));
  }
  const taken = done.filter((one) => one.done === 'taken-over').map(({ login }) => login);
  const fetched = await ctx.ledger.transaction(async (trx) => {
    const begun = await fetchAnew(trx, taken, ctx);
    await forgetUntold(trx, ctx.clock.now());
    const subject = `restore of ${note.backup}: ${choice}`;
    await recordDecision(trx, { at: ctx.clock.now(), action: 'resume', subject, ...decision });
    const fetching = dictionary([...begun].map(([login, { runs }]) => [login, runs] as const));
    await noteChosen(trx, { chosen: choice, term: termAfter(terms, ctx.clock.now()), fetching });
    return begun;
  });
  for (const one of done) {
    const { fetches, paused } = fetched.get(one.login) ?? one;
    Object.assign(one, { fetches, paused });
  }
  return done;
}

type Fetched = Pick<Resumed, 'fetches' | 'paused'> & { runs: string[] };

/** Starts a run of each feed of some logins that is not paused: what is live there has rows that this ledger never saw. */
async function fetchAnew(trx: Db, logins: readonly string[], ctx: Context): Promise<Map<string, Fetched>> {
  const fetched = new Map(logins.map((login): [string, Fetched] => [login, { fetches: [], paused: [], runs: [] }]));
  for (const [feed, { login }] of Object.entries(ctx.config.feeds)) {
    const its = fetched.get(login);
    if (its === undefined) continue;
    if ((await pauseOver(trx, feed, login)) !== undefined) {
      its.paused.push(feed);
      continue;
    }
    const now = ctx.clock.now();
    its.runs.push(await createRun(trx, { feed, login, cause: 'manual', options: {}, sandbox: ctx.sandbox, now }));
    its.fetches.push(feed);
  }
  return fetched;
}

async function resumeLogin(
  choice: RestoreChoice,
  work: Watching,
  ctx: Context,
  see: (records: readonly Listed[]) => void,
): Promise<Resumed> {
  const { login, signal } = work;
  const { db } = ctx.ledger;
  const records = await listUntilKnown(ctx.offers(login), null, signal);
  see(records);
  const attempts = await attemptsSince(db, login, 0);
  const intent = await openIntent(db, login);
  const own = intent === undefined ? [] : await attemptsOf(db, intent.id);
  const isListed = records.some(({ sourceFile }) => own.some(({ token }) => sourceFile?.includes(token)));
  const nothing: Resumed = { login, done: 'nothing', offerId: null, rows: null, fetches: [], paused: [] };
  // It is adopted as after any other interruption.
  if (isListed) return nothing;
  const busy = records.find(isUnfinished);
  if (busy !== undefined) {
    throw new OfferlineError(
      'conflict',
      `Upload ${busy.id} of ${login} is under way at the service, and the backup does not know it. Wait for its end, and make sure that nobody else uploads, such as the original installation; then run the same command again.`,
    );
  }
  const now = ctx.clock.now();
  if (intent !== undefined) {
    const note = `the upload was open when backup was made, and the service does not list it`;
    await withFencedTransaction(ctx.ledger, work.lease, (trx) =>
      abandonUnsent(trx, { intent: intent.id, uploads: own, note, now }),
    );
  }
  const standing = standingOf(records, attempts);
  const good = await lastVerified(db, login);
  const isCurrent = standing.live === 'ours' && standing.attempt.sha256 === good?.dataset.sha256;
  if (isCurrent) return nothing;
  if (choice === 'live') {
    if (standing.live !== 'foreign') return nothing;
    const taken = await takeOverLive(standing.record, work, ctx);
    if ('unavailable' in taken) {
      throw new OfferlineError(
        'service-reply',
        `What is live at ${login} (upload ${standing.record.id}) cannot be taken over: ${taken.unavailable}. Try again, or go on with \`offerline restore --resume backup\`.`,
      );
    }
    return { ...nothing, done: 'taken-over', offerId: standing.record.id, rows: taken.rows };
  }
  if (good === undefined) return nothing;
  await withFencedTransaction(ctx.ledger, work.lease, (trx) => createRollback(trx, good, 'restore', now));
  return { ...nothing, done: 'sent-again', offerId: good.upload.offer_id, rows: good.dataset.rows };
}
