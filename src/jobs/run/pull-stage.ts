import { join } from 'node:path';
import { hostname } from 'node:os';
import { rm, stat } from 'node:fs/promises';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { lastRemarks, nextTaking, noteDelivery } from '../../ledger/runs/deliveries.ts';
import { feedState } from '../../ledger/runs/feeds.ts';
import { openIncident } from '../../ledger/alerts/incidents.ts';
import { addEvent, decideRun, findRun, getRun, updateRun, type UndatedDecision } from '../../ledger/runs/runs.ts';
import type { Db } from '../../ledger/ledger.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { RunOptions } from '../../ledger/schema/json-values.ts';
import type { SourceConfig } from '../../config/schema/source-schema.ts';
import { cleanName } from '../../io/file-name.ts';
import { pullFile } from '../../pull/file.ts';
import { pull } from '../../pull/pull.ts';
import { type Listed, remarkTexts } from '../../pull/choose/choose.ts';
import type { Pulled, PulledFile, PullInput } from '../../pull/source.ts';
import type { RunReason } from '../../wording/reasons/run-reasons.ts';
import { inSpan } from '../../trace.ts';
import { noteFoundResults } from '../../ledger/results.ts';
import { lastTaken, noteTaken } from '../../ledger/runs/taken-files.ts';
import { identityOf, type Past } from '../../pull/choose/past.ts';
import { endDamage } from '../archive/incident.ts';
import { acknowledgeTaken } from '../feeds/acknowledge.ts';
import { pastOf, placeOfFeed, takesSeveral, untakenPlace } from '../feeds/place-of-feed.ts';
import { pushedFiles } from '../push/pushed-files.ts';
import { isDenial, sourceDenied, sourceTaken } from '../feeds/source-denial.ts';
import { settingsHashOf } from '../read/settings.ts';
import { charsetOfText } from '../read/table-charset.ts';
import { endIncomplete, noteStopped, restOf } from './incomplete.ts';
import { noteMisnamed } from './misnamed.ts';
import { putResults } from './put-results.ts';
import { unchangedReason, whyUnchanged } from './unchanged.ts';

/**
 * Pulls the run's file into the archive, or decides the run when there is no file or it has not changed; `received` is called as
 * bytes come from its source.
 */
export async function pullDelivery(
  run: RunRow,
  ctx: Context,
  signal: AbortSignal,
  received?: (bytes: number) => void,
): Promise<void | { waitUntil: number }> {
  const options = run.options;
  if (options.of !== undefined && options.from !== 'pull') return takeArchived(run, options.of, ctx);
  // A worker was killed after archive and ledger had the file, which may be gone from its place by now.
  if (await isKept(run, ctx)) return finish(run, ctx, signal);
  const folder = await ctx.archive.tempFolder();
  try {
    const io = { target: join(folder, 'delivery'), signal, received };
    let pulled = await pullFrom(run, options, ctx, io);
    const rest = await restOf(run, pulled, ctx);
    if (typeof rest === 'number') return { waitUntil: rest };
    if (rest === 'take') pulled = await pullFrom(run, options, ctx, { ...io, partial: true });
    if (pulled.kind !== 'file') {
      await settleSource(run, ctx, signal);
      await noteWaiting(ctx.ledger.db, run.id, pulled.waiting);
    }
    await noteRemarks(run, pulled, ctx);
    await noteMisnamed(run, pulled, ctx);
    await noteStopped(run, pulled, ctx);
    if (rest === null && isNothingLeft(pulled)) await endIncomplete(run, 'nothing', ctx);
    if (pulled.kind === 'unchanged') {
      const reason = await unchangedReason(run, ctx, signal);
      if (reason !== null) return decide(run, unchanged(reason), ctx);
      pulled = await pullFrom(run, { ...options, force: true }, ctx, io);
    }
    if (pulled.kind === 'nothing')
      return decide(run, { outcome: 'nothing', cause: 'no-file', reason: { code: 'found', text: pulled.reason } }, ctx);
    if (pulled.kind === 'unchanged')
      throw new OfferlineError('internal', 'A source that was asked for the file in any case says unchanged.');
    await keep(run, pulled, ctx);
    if (rest === null) await endIncomplete(run, 'taken', ctx);
    await finish(run, ctx, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isNothingLeft(pulled: Pulled): boolean {
  return pulled.kind === 'unchanged' || (pulled.kind === 'nothing' && pulled.waits !== true);
}

/** Keeps how many changes wait at the place for their turn, so that a run is begun for the next of them. */
async function noteWaiting(db: Db, id: string, waiting: Pulled['waiting']): Promise<void> {
  if (waiting === undefined) return;
  const { options } = await getRun(db, id);
  await updateRun(db, id, { options: { ...options, waitingChanges: waiting.count } });
}

/** Says what is to be said of files, unless it was said in the run before; a run that takes nothing has it in its reason. */
async function noteRemarks(run: RunRow, { kind, remarks = [] }: Pulled, ctx: Context): Promise<void> {
  const { db } = ctx.ledger;
  if (remarks.length === 0) return;
  const before = await lastRemarks(db, run);
  const { options } = await getRun(db, run.id);
  await updateRun(db, run.id, { options: { ...options, remarks: remarks.map(({ key }) => key) } });
  const others = remarkTexts(remarks.filter(({ key }) => !before.includes(key)));
  if (kind !== 'nothing' && others.length > 0) await event(run, others.join('; '), ctx);
}

function unchanged(reason: RunReason): UndatedDecision {
  return { outcome: 'unchanged', cause: 'same-file', reason };
}

async function pullFrom(
  run: RunRow,
  options: RunOptions,
  ctx: Context,
  io: Pick<PullInput, 'target' | 'received' | 'partial'> & { signal: AbortSignal },
): Promise<Pulled> {
  const gauge = { stage: 'pull', unit: 'bytes', total: null } as const;
  const { file } = options;
  if (file !== undefined) {
    await assertGiven(file, options);
    const limits = ctx.config.limits;
    return ctx.gauges.during(run.id, gauge, (meter) => pullFile(file, io.target, { limits, signal: io.signal, meter }));
  }
  const feed = ctx.config.feeds[run.feed];
  if (feed === undefined) {
    throw new OfferlineError('config', `The feed ${run.feed} is no longer in the configuration.`);
  }
  const state = await feedState(ctx.ledger.db, run.feed, run.login);
  const sameSettings = state.live_settings === (await settingsHashOf(run.feed, ctx));
  const wanted = await isWanted(run, options, ctx);
  const isLive = !takesSeveral(feed.source) || (await isLastLive(run, feed.source, state.live_sha, ctx));
  const known = state.checkpoint !== null && sameSettings && !wanted && isLive;
  const past = await pastFor(run, options, ctx);
  if (past.changes !== undefined) {
    const { names, last } = past.changes;
    const isWhole = last !== null && names.kindOf(last.name) === 'full' && state.candidate === null;
    const { candidate, head } = state;
    const hasFailed = candidate === null && head !== null && (await getRun(ctx.ledger.db, head)).outcome === 'failed';
    past.changes.again = wanted || hasFailed || (isWhole && !sameSettings);
    past.changes.takesGap = io.partial === true;
  }
  const input = {
    past,
    checkpoint: known ? state.checkpoint : null,
    pushed: pushedFiles(feed.source, ctx),
    ...io,
    limits: ctx.config.limits,
    charsetOf: (text: Buffer) => charsetOfText(text, feed.dialect),
    now: ctx.clock.now,
    wait: ctx.clock.wait,
  };
  try {
    const pulled = await inSpan(`source ${feed.source.type}`, { isCall: true }, () =>
      ctx.gauges.during(run.id, gauge, (meter) => pull(feed.source, { ...input, meter })),
    );
    await sourceTaken(run.feed, ctx);
    await noteResults(run, feed.source, pulled, ctx);
    return pulled;
  } catch (error) {
    if (isDenial(error)) await sourceDenied(run.feed, ctx);
    throw error;
  }
}

/**
 * Whether the files that were taken last are what is live: a checkpoint says where the live ones came from, and those that were held or rejected
 * since lie in the same place.
 */
async function isLastLive(
  { feed }: RunRow,
  source: SourceConfig,
  live: string | null,
  { ledger }: Context,
): Promise<boolean> {
  const last = await lastTaken(ledger.db, placeOfFeed(feed, source));
  return last === undefined || (await findRun(ledger.db, last.run))?.delivery_sha === live;
}

/** What a run is told of what was taken before it; of what it takes whatever was taken before, only the results that are there. */
async function pastFor(run: RunRow, { force = false }: RunOptions, ctx: Context): Promise<Past> {
  const { source } = ctx.config.feeds[run.feed]!;
  const { changes, ...past } = await pastOf(run.feed, source, ctx, run);
  if (changes !== undefined) return { ...past, changes: { ...changes, force } };
  const isOfSeveral = takesSeveral(source);
  // Files of earlier deliveries are no part of this one, but for those of the last that a new file may belong to.
  return force && !isOfSeveral ? untakenPlace(source, ctx) : { ...past, withLast: force };
}

async function noteResults(run: RunRow, source: SourceConfig, { results = [] }: Pulled, ctx: Context): Promise<void> {
  const files = results.map((listed) => ({ identity: identityOf(listed), listed }));
  const found = { ...placeOfFeed(run.feed, source), run: run.id, at: ctx.clock.now(), files };
  await noteFoundResults(ctx.ledger.db, found);
}

/** A file that was named on another machine, of which no worker runs, is only taken where this machine shows the very same. */
async function assertGiven(file: string, { given }: RunOptions): Promise<void> {
  if (given === undefined || given.host === hostname()) return;
  const found = await stat(file).catch(() => undefined);
  if (found?.size === given.bytes && Math.floor(found.mtimeMs) === given.modifiedAt) return;
  const message =
    `${file} was named on the machine ${given.host}, where no worker runs, and ${found === undefined ? 'is not' : 'is another file'} on ${hostname()}. ` +
    'Name it again there with --wait, or start `offerline worker` there.';
  throw new OfferlineError('pull-failed', message, { details: { path: file } });
}

/** The same bytes are read all the same: a person asked for it, or the archive has lost what was made of them. */
async function isWanted({ login, feed }: RunRow, { force }: RunOptions, ctx: Context): Promise<boolean> {
  return force === true || (await openIncident(ctx.ledger.db, { kind: 'damaged-archive', login, feed })) !== undefined;
}

async function isKept(run: RunRow, ctx: Context): Promise<boolean> {
  return run.delivery_sha !== null && (await ctx.archive.verify(run.delivery_sha)) === 'ok';
}

/** Puts the file into the archive, then into the ledger, with what it superseded at its place. */
async function keep(run: RunRow, pulled: PulledFile, ctx: Context): Promise<void> {
  const { feed, login } = run;
  const { name, listed, checkpoint, waiting } = pulled;
  const { sha256, bytes } = await ctx.archive.adopt(pulled.path);
  const { source, join } = ctx.config.feeds[feed] ?? {};
  const now = ctx.clock.now();
  const also = listed?.also ?? [];
  const isJoined = join !== undefined && listed !== null;
  const older = pulled.superseded.length === 0 ? '' : `; superseded: ${shownNames(pulled.superseded)}`;
  await ctx.ledger.transaction(async (trx) => {
    await noteDelivery(trx, { feed, login, name, fingerprint: JSON.stringify([sha256, checkpoint]) }, now);
    const { options } = await getRun(trx, run.id);
    // One time for both, so that what was taken last is that of the last run when the wall clock was set back.
    const takenAt = await nextTaking(trx, feed, now);
    await updateRun(trx, run.id, {
      // The next run may take a file that stays once more, and the place knows it as that of the next run then.
      ...(isJoined ? { options: { ...options, files: [listed.taken, ...also] } } : {}),
      taken_at: takenAt,
      delivery_sha: sha256,
      delivery_name: name,
      delivery_bytes: bytes,
      checkpoint,
      modified_at: pulled.modifiedAt === null ? null : Math.floor(pulled.modifiedAt),
    });
    await noteWaiting(trx, run.id, waiting);
    if (source !== undefined && listed !== null) {
      const known = (file: Listed) => ({ identity: identityOf(file), listed: file });
      await noteTaken(trx, {
        ...placeOfFeed(feed, source),
        run: run.id,
        at: takenAt,
        sha256,
        taken: [listed.taken, ...also].map(known),
        superseded: listed.superseded.map(known),
        acknowledge: source.type !== 'http' && source.after !== 'keep' && !ctx.sandbox,
      });
    }
    const message = `pulled ${name}, ${bytes} bytes${older}`;
    await addEvent(trx, run.id, { at: now, stage: 'pull', message });
    if (listed === null || also.length === 0) return;
    const names = shownNames([listed.taken, ...also].map((file) => cleanName(file.name)));
    const together = `${also.length + 1} files are one delivery: ${names}`;
    await addEvent(trx, run.id, { at: now, stage: 'pull', message: together });
  });
}

const SHOWN = 20;

function shownNames(names: string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return `${names.slice(0, SHOWN).join(', ')}${more}`;
}

/** What earlier pulls and runs left to be done at the supplier's. */
async function settleSource(run: RunRow, ctx: Context, signal: AbortSignal): Promise<void> {
  await acknowledgeTaken(run, ctx, signal);
  await putResults(run, ctx, signal);
}

/** What follows once archive and ledger have the file: its place is told, and it is read unless it is what is live. */
async function finish(unread: RunRow, ctx: Context, signal: AbortSignal): Promise<void> {
  const run = await getRun(ctx.ledger.db, unread.id);
  await settleSource(run, ctx, signal);
  await endDamage(run.login, ctx);
  const why = (await isWanted(run, run.options, ctx)) ? null : await whyUnchanged(run, ctx, signal);
  if (why === 'uncertain') {
    await event(run, 'the same bytes as those verified last, but it is uncertain what is live now', ctx);
  } else if (why !== null) return decide(run, unchanged(why), ctx);
  await updateRun(ctx.ledger.db, run.id, { stage: 'read', tries: 0 });
}

/** A re-run from a later stage works on the archived bytes of the earlier run; its source may be gone. */
async function takeArchived(run: RunRow, of: string, ctx: Context): Promise<void> {
  const earlier = await getRun(ctx.ledger.db, of);
  const { delivery_sha, delivery_name, delivery_bytes, checkpoint, modified_at } = earlier;
  const delivery = { delivery_sha, delivery_name, delivery_bytes, checkpoint, modified_at };
  await event(run, `took the archived delivery of run ${of}`, ctx);
  const taken_at = await nextTaking(ctx.ledger.db, run.feed, ctx.clock.now());
  await updateRun(ctx.ledger.db, run.id, { ...delivery, taken_at, stage: 'read', tries: 0 });
}

function decide(run: RunRow, decided: UndatedDecision, ctx: Context): Promise<void> {
  return decideRun(ctx.ledger.db, run.id, { ...decided, now: ctx.clock.now() });
}

function event(run: RunRow, message: string, ctx: Context): Promise<void> {
  return addEvent(ctx.ledger.db, run.id, { at: ctx.clock.now(), stage: 'pull', message });
}
