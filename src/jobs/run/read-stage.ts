import { rm } from 'node:fs/promises';
import { damageOf } from '../../archive/kept-file.ts';
import type { Context } from '../../context.ts';
import { messageOf } from '../../errors.ts';
import { withFencedTransaction, type Lease } from '../../ledger/lease.ts';
import { addEvent, decideRun, getRun, updateRun, type UndatedDecision } from '../../ledger/runs/runs.ts';
import type { Db } from '../../ledger/ledger.ts';
import { lockFeed } from '../../ledger/runs/feeds.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { LocalCounts, SeenSignals } from '../../model.ts';
import { endDamage } from '../archive/incident.ts';
import { usable } from '../archive/usable.ts';
import { baseOf } from '../feeds/base.ts';
import { makeCandidate, newerThan, takenAfter } from '../feeds/candidate.ts';
import { heldBy } from '../guards/feed-guard.ts';
import { signalsOfRun } from '../guards/signals.ts';
import { knownOf } from '../feeds/failure.ts';
import { liveHeader, liveRows } from '../feeds/live-rows.ts';
import { liveDataset } from '../logins/live-dataset.ts';
import { nameFeed } from '../feeds/name-feed.ts';
import { nothingRead } from '../../wording/account.ts';
import { writtenAs } from '../../wording/files/dialect.ts';
import { columnInWords } from '../../wording/columns/accepted-column.ts';
import { findingWords } from '../../wording/signal-words.ts';
import type { RunReason } from '../../wording/reasons/run-reasons.ts';
import type { UnsureColumns } from '../../wording/columns/unsure-columns.ts';
import { writtenBefore } from '../read/changes/full-list.ts';
import { readAs, readSettingsOf, settingsHash, settingsHashOf } from '../read/settings.ts';
import { verdictOn, verdictOnError } from '../read/verdict.ts';
import { readInWorker } from '../read/read-within.ts';
import { revokedColumns } from '../read/revoked-columns.ts';
import type { ReadResult } from '../read/read-text.ts';
import { kindOfDelivery, notePut, noteReadOtherwise, putRunUpon, readingOf } from './put-changes.ts';

/** Unpacks, detects and validates the run's delivery; accepted rows become the feed's candidate, under the feed's lease. */
export async function readDelivery(run: RunRow, lease: Lease, ctx: Context, signal: AbortSignal): Promise<void> {
  const options = run.options;
  if (options.from === 'upload' && options.of !== undefined) return takeRows(run, options.of, lease, ctx, signal);
  const folder = await ctx.archive.tempFolder();
  try {
    const settings = await readSettingsOf(run.feed, ctx);
    const kind = kindOfDelivery(run, ctx);
    const delivery = { path: ctx.archive.file(run.delivery_sha ?? ''), name: run.delivery_name ?? 'delivery' };
    const earlier = await liveRows(run.feed, run.login, ctx);
    const earlierHeader = await liveHeader(run.feed, run.login, ctx);
    const live = await liveDataset(run.login, ctx);
    const reading = readingOf(kind, readAs(settings, run));
    const input = { ...delivery, folder, settings: reading, earlier, live };
    const before =
      kind === 'full'
        ? { earlierHeader }
        : { writtenBefore: await writtenBefore(ctx.ledger.db, await baseOf(ctx.ledger.db, run)) };
    const gauge = { stage: 'read', unit: 'bytes', total: null } as const;
    const read = await ctx.gauges.during(run.id, gauge, (meter) =>
      readInWorker({ ...input, ...before, meter }, signal),
    );
    const { result, base } =
      kind === 'changes' ? await putRunUpon(run, read, input, ctx, signal) : { result: read, base: null };
    const { detection } = result;
    const settings_hash = settingsHash(ctx.config, run.feed, settings);
    await updateRun(ctx.ledger.db, run.id, { entry: result.name, detection, settings_hash, base: base?.id ?? null });
    await event(run, `${writtenAs(detection)}: ${detection.evidence[0] ?? ''}`, ctx);
    await keepResult(run, result, base, ctx, signal);
    if (base !== null) await noteReadOtherwise(run, { base, settings: settings_hash }, ctx);
    const verdict = verdictOn(result);
    if (verdict.outcome !== 'accepted') return decide(run, { ...verdict, reason: reasonIn(result, run, ctx) }, ctx);
    await offerCandidate({ ...run, settings_hash }, verdict.counts, lease, ctx, signal);
  } catch (error) {
    if (damageOf(error)?.sha256 === run.delivery_sha) return pullOnceMore(run, error, ctx, signal);
    const verdict = verdictOnError(error);
    if (verdict === null) throw error;
    return decide(run, { ...verdict, reason: reasonOfError(error, run) }, ctx);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The delivery was damaged before it was read: its source may still have it. A re-run has none. */
async function pullOnceMore(run: RunRow, error: unknown, ctx: Context, signal: AbortSignal): Promise<void> {
  // Readings were taken for the bytes that are gone.
  const { reading: _reading, partnerReadings: _readings, ...options } = run.options;
  const { of, pulledAgain } = options;
  if (await usable(run.delivery_sha ?? '', ctx, signal)) return;
  if (of !== undefined || pulledAgain === true) throw error;
  await event(run, 'the archived delivery was damaged before it was read, so it is pulled again', ctx);
  await updateRun(ctx.ledger.db, run.id, { stage: 'pull', options: { ...options, pulledAgain: true } });
}

async function keepResult(
  run: RunRow,
  result: ReadResult,
  base: RunRow | null,
  ctx: Context,
  signal: AbortSignal,
): Promise<void> {
  if (result.unsure === 'dialect' || result.unsure === 'cells' || result.unsure === 'rules') return;
  const issues = await ctx.archive.adopt(result.issuesPath);
  if (result.unsure === 'columns') {
    return updateRun(ctx.ledger.db, run.id, { issues: result.issues.counts, issues_sha: issues.sha256 });
  }
  const { validation, detection } = result;
  const sure = detection.mapping.filter((column) => column.sure).map(columnInWords);
  if (detection.mapping.length > 0) await event(run, `columns: ${sure.join(', ')}`, ctx);
  const rows = await ctx.archive.adopt(result.rowsPath);
  await endDamage(run.login, ctx);
  await updateRun(ctx.ledger.db, run.id, {
    counts: {
      ...validation.counts,
      skippedRows: validation.skipped,
      ...(validation.rules === null ? {} : { rules: validation.rules }),
      ...(validation.files === null ? {} : { files: validation.files }),
      ...(result.joined === undefined ? {} : { joined: result.joined }),
    },
    issues: validation.issues,
    issues_sha: issues.sha256,
    rows_sha: rows.sha256,
    columns: Object.keys(ctx.config.offer.columns),
    cell_names: validation.columns,
  });
  await keepSeen(run, result.seen, ctx, signal);
  const { change } = validation.counts;
  if (change !== undefined) {
    if (base !== null) await takeSeen(run, base, ctx);
    await notePut(run, change, base, ctx);
  }
  const { read, expanded, rejectedLocally, duplicates, leftOut, skipped } = validation.counts;
  const accepted = validation.counts.accepted - (change?.carried ?? 0);
  const made = expanded === 0 ? '' : ` (${expanded} more offers of several numbers)`;
  const ruled = leftOut === 0 ? '' : `, ${leftOut} left out ${change === undefined ? 'by rules' : 'or removed'}`;
  const beside = skipped === 0 ? '' : `; ${skipped} lines that are no offers were skipped`;
  await event(
    run,
    `${read} ${read === 1 ? 'row' : 'rows'} read${made}: ${accepted} accepted, ${rejectedLocally} rejected, ${duplicates} duplicates${ruled}${beside}`,
    ctx,
  );
}

/** What was seen of the rows is kept with them, and compared with what was proved last. */
async function keepSeen({ id }: RunRow, seen: ReadResult['seen'], ctx: Context, signal: AbortSignal): Promise<void> {
  if (seen === undefined) return;
  const sample = seen.samplePath === null ? null : await ctx.archive.adopt(seen.samplePath);
  await updateRun(ctx.ledger.db, id, { sample_sha: sample?.sha256 ?? null });
  await noteSignals(id, seen.signals, ctx, signal);
}

/** Of rows that changes were put upon is known what was seen of the full list. */
async function takeSeen({ id }: RunRow, { signals, sample_sha }: RunRow, ctx: Context): Promise<void> {
  await updateRun(ctx.ledger.db, id, { signals: signals === null ? null : { ...signals, findings: [] }, sample_sha });
}

async function noteSignals(id: string, seen: SeenSignals, ctx: Context, signal: AbortSignal): Promise<void> {
  const run = await getRun(ctx.ledger.db, id);
  const signals = await signalsOfRun(run, seen, ctx, signal);
  await updateRun(ctx.ledger.db, id, { signals });
  for (const { sentence } of findingWords(signals)) await event(run, sentence, ctx);
}

/** A re-run of the upload takes the rows that the earlier run accepted. */
async function takeRows(run: RunRow, of: string, lease: Lease, ctx: Context, signal: AbortSignal): Promise<void> {
  const { entry, detection, counts, issues, issues_sha, rows_sha, columns, cell_names, settings_hash, ...earlier } =
    await getRun(ctx.ledger.db, of);
  const { signals, sample_sha, base } = earlier;
  const read = {
    entry,
    detection,
    counts,
    issues,
    issues_sha,
    rows_sha,
    columns,
    cell_names,
    settings_hash,
    sample_sha,
    base,
  };
  await updateRun(ctx.ledger.db, run.id, read);
  await event(run, `took the accepted rows of run ${of}`, ctx);
  if (counts?.change !== undefined) await updateRun(ctx.ledger.db, run.id, { signals });
  else if (signals !== null) await noteSignals(run.id, signals.seen, ctx, signal);
  await offerCandidate(run, counts ?? nothingRead(), lease, ctx, signal);
}

/** The accepted rows become the candidate, unless they are held; the contribution stays live either way. */
async function offerCandidate(
  run: RunRow,
  counts: LocalCounts,
  lease: Lease,
  ctx: Context,
  signal: AbortSignal,
): Promise<void> {
  if (await givesWay(ctx.ledger.db, run, ctx)) return;
  const judge = async () => heldBy(await getRun(ctx.ledger.db, run.id), counts, ctx, signal);
  // A person has released these changes, and they were put upon other rows since.
  const held =
    run.options.putAgain === true
      ? null
      : await ctx.gauges.during(run.id, { stage: 'guard', unit: null, total: null }, judge);
  if (held === null) return withFencedTransaction(ctx.ledger, lease, (trx) => takeTurn(trx, run, ctx));
  await updateRun(ctx.ledger.db, run.id, { diff: held.diff });
  await decide(run, { outcome: 'held', cause: held.cause, reason: held.reason }, ctx);
}

/** Columns may have been accepted or taken back since the file was read: then it is read again. */
async function takeTurn(trx: Db, run: RunRow, ctx: Context): Promise<void> {
  await lockFeed(trx, run.feed, run.login);
  const { from } = run.options;
  const isCurrent =
    from === 'upload'
      ? (await revokedColumns(trx, await getRun(trx, run.id))).length === 0
      : run.settings_hash === (await settingsHashOf(run.feed, ctx, trx));
  if (!isCurrent) {
    if (from === 'upload') await updateRun(trx, run.id, { options: { ...run.options, from: 'validate' } });
    const message = 'its accepted columns were changed while it was read, so it is read again';
    return addEvent(trx, run.id, { at: ctx.clock.now(), stage: 'read', message });
  }
  if (from !== 'upload' && !(await standsUponNewest(trx, run, ctx))) {
    const message = 'the rows before it were changed while it was read, so it is put upon them again';
    return addEvent(trx, run.id, { at: ctx.clock.now(), stage: 'read', message });
  }
  if (!(await givesWay(trx, run, ctx))) await makeCandidate(trx, run, ctx);
}

/** Whether the rows that a run's changes were put upon are still the newest. */
async function standsUponNewest(trx: Db, run: RunRow, ctx: Context): Promise<boolean> {
  if (kindOfDelivery(run, ctx) === 'full') return true;
  const { base } = await getRun(trx, run.id);
  return base === ((await baseOf(trx, run))?.id ?? null);
}

/**
 * Ends a run that was read again when a newer one of its feed is live or waiting, and one that went on late, after its worker was cut off,
 * when a file is that was taken after its own.
 */
async function givesWay(db: Db, run: RunRow, ctx: Context): Promise<boolean> {
  const newer = await (run.options.remapped === true ? newerThan(db, run) : takenAfter(db, run));
  if (newer === null) return false;
  const reason = { code: 'superseded', feed: run.feed, run: newer.run.id } as const;
  await decideRun(db, run.id, { outcome: 'nothing', cause: 'superseded', reason, now: ctx.clock.now() });
  return true;
}

/** Why a file is not accepted that could not be read. */
export function reasonOfError(error: unknown, run: Pick<RunRow, 'feed'>): RunReason {
  return { ...found(run, messageOf(error)), ...knownOf(error) };
}

/** Why what was read is not accepted. */
export function reasonIn(
  { unsure, reason, validation }: ReadResult,
  run: Pick<RunRow, 'id' | 'feed'>,
  ctx: Pick<Context, 'partialArchive'>,
): RunReason | null {
  if (unsure === 'columns') return columnsReason(run, reason, ctx);
  if (unsure === 'rules') return { code: 'rule-column', feed: run.feed, ...reason } as const;
  if (unsure === 'cells') return { code: 'unsure-cells', feed: run.feed, ...reason } as const;
  const text = unsure === 'dialect' ? reason : validation.reason;
  return text === null ? null : found(run, text);
}

function columnsReason(
  { id, feed }: Pick<RunRow, 'id' | 'feed'>,
  unsure: UnsureColumns,
  { partialArchive }: Pick<Context, 'partialArchive'>,
) {
  return { code: 'unsure-columns', run: partialArchive === true ? null : id, feed, ...unsure } as const;
}

function found({ feed }: Pick<RunRow, 'feed'>, text: string) {
  return { code: 'found', text: nameFeed(text, feed) } as const;
}

function decide(run: RunRow, decided: UndatedDecision, ctx: Context): Promise<void> {
  return decideRun(ctx.ledger.db, run.id, { ...decided, now: ctx.clock.now() });
}

function event(run: RunRow, message: string, ctx: Context): Promise<void> {
  return addEvent(ctx.ledger.db, run.id, { at: ctx.clock.now(), stage: 'read', message });
}
