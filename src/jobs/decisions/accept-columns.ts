import { headerFingerprint } from '../../detect/columns/accepted.ts';
import { contradictionOf } from '../../detect/columns/column-look.ts';
import { readSettings } from '../../config/schema/feed-settings.ts';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { recordDecision } from '../../ledger/alerts/audit.ts';
import { acceptColumns, acceptedColumnsOf, acceptedWith, revokeColumns } from '../../ledger/runs/accepted-columns.ts';
import { clearCandidate, lockFeed, loginOfFeed } from '../../ledger/runs/feeds.ts';
import { addEvent, findRun, getRun, lockRun } from '../../ledger/runs/runs.ts';
import type { Db } from '../../ledger/ledger.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { AcceptedColumn, Detection } from '../../model.ts';
import { columnInWords } from '../../wording/columns/accepted-column.ts';
import { cellsInWords } from '../../wording/columns/column-evidence.ts';
import { noteColumnsAccepted } from '../alerts/run-incidents.ts';
import { chooseColumns, type AskedColumn } from './choose-columns.ts';
import { readAgain } from './read-again.ts';
import { assertArchived } from './rerun.ts';
import { assertNewest, assertUnmoved, heldRun, type Decision } from './review.ts';

/** What was accepted, and what of it the cells contradict: sentences. */
type Acceptance = { accepted: AcceptedColumn[]; warnings: string[] };

/**
 * Accepts columns for the feed and the header of a held run, as asked or as proposed (null), and has the run read its
 * delivery again with them; guards look at it then. So it does of one that lacks columns. What the cells contradict is said;
 * the person decides. Fails with `conflict` when the run
 * does not wait for this, when its delivery is gone,
 * or when a newer one of the feed is live or waiting; with `usage` when the columns cannot be taken.
 */
export async function acceptRunColumns(
  id: string,
  asked: AskedColumn[] | null,
  decision: Decision,
  ctx: Context,
): Promise<Acceptance> {
  const held = await waitingRun(ctx.ledger.db, id);
  await assertArchived(held, held.delivery_sha, 'delivery', ctx);
  return ctx.ledger.transaction(async (trx) => {
    await lockRun(trx, id);
    await lockFeed(trx, held.feed, held.login);
    const run = await waitingRun(trx, id);
    await assertNewest(trx, run);
    const detection = detectionOf(run, ctx);
    const { columns } = readSettings(ctx.config, run.feed);
    const fingerprint = fingerprintOf(detection);
    const known = (await acceptedColumnsOf(trx, run.feed)).find((one) => one.fingerprint === fingerprint);
    const before = known?.accepted ?? [];
    const accepted = chooseColumns(asked, { run: id, feed: run.feed, columns, detection, before }).map((one) =>
      withLook(one, detection),
    );
    const at = ctx.clock.now();
    const { who, reason } = decision;
    const header = { feed: run.feed, fingerprint, header_cells: detection.columns, width: detection.width };
    await acceptColumns(trx, { ...header, accepted, run: id, at, who, reason });
    await recordDecision(trx, { at, action: 'accept-columns', subject: id, ...decision });
    const list = accepted.map(columnInWords).join(', ');
    const message = `columns accepted by ${decision.who}: ${list}: ${decision.reason}; the file is read again`;
    await addEvent(trx, id, { at, stage: 'read', message });
    const warnings = accepted.flatMap((one) => warningOf(one));
    for (const warning of warnings) await addEvent(trx, id, { at, stage: 'read', message: warning });
    await noteColumnsAccepted(trx, run, decision, at);
    await readAgain(trx, run, { ...run.options, remapped: true, wait: true });
    return { accepted, warnings };
  });
}

/**
 * Takes back the columns that were accepted for the header of a run's file, and gives their feed. What is live stays; rows
 * that wait to be uploaded are read again without them. Fails with `conflict` when nothing is accepted for that header.
 */
export async function revokeRunColumns(
  id: string,
  decision: Decision,
  ctx: Context,
): Promise<{ feed: string; readAgain: string | null }> {
  return ctx.ledger.transaction(async (trx) => {
    const { feed, login, detection } = await getRun(trx, id);
    // The feed may belong to another login by now.
    const state = await lockFeed(trx, feed, (await loginOfFeed(trx, feed)) ?? login);
    const [own] = await acceptedWith(trx, id);
    const fingerprint = own?.fingerprint ?? (detection === null ? '' : fingerprintOf(detection));
    const at = ctx.clock.now();
    if (!(await revokeColumns(trx, { feed, fingerprint }, { who: decision.who, reason: decision.reason, at }))) {
      const advice = '`offerline feeds` shows what is accepted.';
      const what = `No columns are accepted for the header of run ${id} of ${feed}.`;
      throw new OfferlineError('conflict', `${what} ${advice}`);
    }
    await recordDecision(trx, { at, action: 'revoke-columns', subject: id, ...decision });
    const message = `accepted columns taken back by ${decision.who}: ${decision.reason}`;
    await addEvent(trx, id, { at, stage: 'read', message });
    const waiting = state.candidate === null ? undefined : await findRun(trx, state.candidate);
    if (waiting === undefined || !isUnsentWith(waiting, fingerprint)) return { feed, readAgain: null };
    const { approved: _approved, approvedAt: _at, putAgain: _again, ...options } = waiting.options;
    await clearCandidate(trx, waiting);
    await readAgain(trx, waiting, { ...options, remapped: true });
    return { feed, readAgain: waiting.id };
  });
}

/** With what its cells look like in this file: later ones are compared with it. */
function withLook({ key, column, position }: AcceptedColumn, { looks }: Detection): AcceptedColumn {
  const look = looks[position - 1];
  return { key, column, position, ...(look === undefined ? {} : { look }) };
}

function warningOf(column: AcceptedColumn): string[] {
  const found = column.look === undefined ? null : contradictionOf(column.key, column.look);
  return found === null ? [] : [`${columnInWords(column)}, but ${cellsInWords(found)}`];
}

/** A run whose columns can be accepted: it is held, or rejected because columns are missing for which nothing could be proposed. */
export async function waitingRun(db: Db, id: string): Promise<RunRow> {
  const run = await getRun(db, id);
  const lacksColumns = run.outcome === 'rejected' && (run.issues?.['column-missing'] ?? 0) > 0;
  return lacksColumns ? run : heldRun(db, id);
}

/** Rows of such a header that no upload has yet. */
function isUnsentWith({ outcome, intent, detection }: RunRow, fingerprint: string): boolean {
  return outcome === null && intent === null && detection !== null && fingerprintOf(detection) === fingerprint;
}

function fingerprintOf({ columns, width }: Detection): string {
  return headerFingerprint({ header: columns, width });
}

/** What is known of the run's file; refused where columns are not what keeps it from being read. */
function detectionOf(run: RunRow, ctx: Context): Detection {
  const { id, detection, options } = run;
  const again = `\`offerline rerun ${id} --from validate\``;
  assertUnmoved(run, ctx.config);
  // Earlier versions did not record how wide a table without a header is.
  if (detection === null || (detection.columns.length === 0 && detection.width === 0))
    throw new OfferlineError('conflict', `The columns of the file of run ${id} are not known; run ${again}.`);
  if (options.cause === 'unsure' && !detection.sure) {
    const why = `It is not certain how the file of run ${id} is written, so its columns are not known yet`;
    throw new OfferlineError('conflict', `${why}. \`offerline show ${id}\` says what to do.`);
  }
  return detection;
}
