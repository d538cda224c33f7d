import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { noteDelivery } from '../../ledger/runs/deliveries.ts';
import { feedState } from '../../ledger/runs/feeds.ts';
import { openIncident } from '../../ledger/alerts/incidents.ts';
import { addEvent, decideRun, getRun, updateRun, type UndatedDecision } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { RunOptions } from '../../ledger/schema/json-columns.ts';
import { pullFile } from '../../pull/file.ts';
import { pull } from '../../pull/pull.ts';
import type { Pulled, PulledFile } from '../../pull/source.ts';
import type { RunReason } from '../../wording/reasons/run-reasons.ts';
import { endDamage } from '../archive/incident.ts';
import { settingsHashOf } from '../read/settings.ts';
import { unchangedReason } from './unchanged.ts';

/** Pulls the run's file into the archive, or decides the run when there is no file or it has not changed. */
export async function pullDelivery(run: RunRow, ctx: Context, signal: AbortSignal): Promise<void> {
  const options = run.options;
  if (options.of !== undefined && options.from !== 'pull') return takeArchived(run, options.of, ctx);
  const folder = await ctx.archive.tempFolder();
  try {
    const target = join(folder, 'delivery');
    let pulled = await pullFrom(run, options, target, ctx, signal);
    if (pulled.kind === 'unchanged') {
      const reason = await unchangedReason(run, ctx, signal);
      if (reason !== null) return decide(run, unchanged(reason), ctx);
      pulled = await pullFrom(run, { ...options, force: true }, target, ctx, signal);
    }
    if (pulled.kind === 'nothing')
      return decide(run, { outcome: 'nothing', cause: 'no-file', reason: { code: 'found', text: pulled.reason } }, ctx);
    if (pulled.kind === 'unchanged')
      throw new OfferlineError('internal', 'A source that was asked for the file in any case says unchanged.');
    await keep(run, pulled, ctx, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function unchanged(reason: RunReason): UndatedDecision {
  return { outcome: 'unchanged', cause: 'same-file', reason };
}

async function pullFrom(
  run: RunRow,
  options: RunOptions,
  target: string,
  ctx: Context,
  signal: AbortSignal,
): Promise<Pulled> {
  if (options.file !== undefined) return pullFile(options.file, target, { limits: ctx.config.limits, signal });
  const feed = ctx.config.feeds[run.feed];
  if (feed === undefined) {
    throw new OfferlineError('config', `The feed ${run.feed} is no longer in the configuration.`);
  }
  const state = await feedState(ctx.ledger.db, run.feed, run.login);
  const sameSettings = state.live_settings === (await settingsHashOf(run.feed, ctx));
  const known = state.checkpoint !== null && sameSettings && !(await isWanted(run, options, ctx));
  return pull(feed.source, {
    checkpoint: known ? state.checkpoint : null,
    target,
    limits: ctx.config.limits,
    signal,
    now: ctx.clock.now,
    wait: ctx.clock.wait,
  });
}

/** The same bytes are read all the same: a person asked for it, or the archive has lost what was made of them. */
async function isWanted({ login, feed }: RunRow, { force }: RunOptions, ctx: Context): Promise<boolean> {
  return force === true || (await openIncident(ctx.ledger.db, { kind: 'damaged-archive', login, feed })) !== undefined;
}

async function keep(run: RunRow, pulled: PulledFile, ctx: Context, signal: AbortSignal): Promise<void> {
  const { sha256, bytes } = await ctx.archive.adopt(pulled.path);
  const state = await feedState(ctx.ledger.db, run.feed, run.login);
  const settings = await settingsHashOf(run.feed, ctx);
  const fingerprint = JSON.stringify([sha256, pulled.checkpoint]);
  await noteDelivery(
    ctx.ledger.db,
    { feed: run.feed, login: run.login, name: pulled.name, fingerprint },
    ctx.clock.now(),
  );
  await updateRun(ctx.ledger.db, run.id, {
    delivery_sha: sha256,
    delivery_name: pulled.name,
    delivery_bytes: bytes,
    checkpoint: pulled.checkpoint,
    modified_at: pulled.modifiedAt === null ? null : Math.floor(pulled.modifiedAt),
  });
  const older = pulled.superseded.length === 0 ? '' : `; superseded: ${pulled.superseded.join(', ')}`;
  await event(run, `pulled ${pulled.name}, ${bytes} bytes${older}`, ctx);
  await endDamage(run.login, ctx);
  const wanted = await isWanted(run, run.options, ctx);
  if (!wanted && state.live_sha === sha256 && state.live_settings === settings) {
    const reason = await unchangedReason(run, ctx, signal);
    if (reason !== null) return decide(run, unchanged(reason), ctx);
    await event(run, 'the same bytes as those verified last, but it is uncertain what is live now', ctx);
  }
  await updateRun(ctx.ledger.db, run.id, { stage: 'read', tries: 0 });
}

/** A re-run from a later stage works on the archived bytes of the earlier run; its source may be gone. */
async function takeArchived(run: RunRow, of: string, ctx: Context): Promise<void> {
  const earlier = await getRun(ctx.ledger.db, of);
  const { delivery_sha, delivery_name, delivery_bytes, checkpoint, modified_at } = earlier;
  const delivery = { delivery_sha, delivery_name, delivery_bytes, checkpoint, modified_at };
  await event(run, `took the archived delivery of run ${of}`, ctx);
  await updateRun(ctx.ledger.db, run.id, { ...delivery, stage: 'read', tries: 0 });
}

function decide(run: RunRow, decided: UndatedDecision, ctx: Context): Promise<void> {
  return decideRun(ctx.ledger.db, run.id, { ...decided, now: ctx.clock.now() });
}

function event(run: RunRow, message: string, ctx: Context): Promise<void> {
  return addEvent(ctx.ledger.db, run.id, { at: ctx.clock.now(), stage: 'pull', message });
}
