import type { Context } from '../../context.ts';
import { knownFeed } from '../../ledger/runs/feeds.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { Detection, SeenSignals, Signals } from '../../model.ts';
import { runInThread } from '../../threads/thread.ts';
import { placeIn } from '../../wording/files/place.ts';
import { usable } from '../archive/usable.ts';
import { compareSamples, type ProvedSignals, type Sampled } from './compare-samples.ts';
import { weekdayFindings } from './weekday-size.ts';

/** What was seen of the rows of a feed that were proved last; null when there are none, or nothing was seen of them. */
export async function provedSignals(feed: string, login: string, ctx: Context): Promise<ProvedSignals | null> {
  const { contribution } = await knownFeed(ctx.ledger.db, feed, login);
  if (contribution === null) return null;
  const { id, signals, sample_sha } = await getRun(ctx.ledger.db, contribution);
  if (signals === null) return null;
  const isThere = sample_sha !== null && (await usable(sample_sha, ctx));
  return { run: id, seen: signals.seen, sample: isThere ? ctx.archive.file(sample_sha) : null };
}

/** Compares what was seen of a delivery with what was proved last; `parts`: examples say the sheet and its row. */
export async function compareSignals(
  newer: Sampled,
  proved: ProvedSignals | null,
  parts: Detection['parts'],
  signal?: AbortSignal,
): Promise<Signals> {
  const input = { newer, proved };
  const task = { module: new URL('./compare-samples.ts', import.meta.url), name: 'compareSamples' };
  // Without a sample there is nothing that takes time.
  const signals = newer.sample === null ? await compareSamples(input) : await runInThread<Signals>(task, input, signal);
  const findings = signals.findings.map((finding) => ({
    ...finding,
    examples: finding.examples.map((example) => Object.assign(example, placeIn(parts, example.line))),
  }));
  return { ...signals, findings };
}

/** Compares what was seen of a run with what was proved last of its feed. */
export async function signalsOfRun(
  run: RunRow,
  seen: SeenSignals,
  ctx: Context,
  signal: AbortSignal,
): Promise<Signals> {
  const isThere = run.sample_sha !== null && (await usable(run.sample_sha, ctx, signal));
  const sample = isThere ? ctx.archive.file(run.sample_sha!) : null;
  const proved = await provedSignals(run.feed, run.login, ctx);
  const signals = await compareSignals({ seen, sample }, proved, run.detection?.parts ?? [], signal);
  return { ...signals, findings: [...signals.findings, ...(await weekdayFindings(run, ctx))] };
}

/** What an answer shows: null when the feed sees no columns and nothing is strange. Pure. */
export function shownSignals(signals: Signals | null): Signals | null {
  if (signals === null) return null;
  const { seen, findings } = signals;
  return seen.price === null && seen.stock === null && findings.length === 0 ? null : signals;
}
