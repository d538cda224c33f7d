import { damageOf, type AnyFile } from '../../archive/kept-file.ts';
import type { Context } from '../../context.ts';
import { feedState } from '../../ledger/runs/feeds.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { Detection, SeenSignals, Signals } from '../../model.ts';
import { compareSeen } from '../../signals/compare.ts';
import { readSample, type Sample } from '../../signals/sample.ts';
import { placeIn } from '../../wording/files/place.ts';
import { usable } from '../archive/usable.ts';

/** What was seen of the delivery that was proved last, and its sample, where they are still there. */
export type ProvedSignals = { run: string; seen: SeenSignals; sample: AnyFile | null };

/** A delivery as it was seen. */
type Delivered = { seen: SeenSignals; sample: AnyFile | null; parts: Detection['parts'] };

/** What was seen of the rows of a feed that were proved last; null when there are none, or nothing was seen of them. */
export async function provedSignals(feed: string, login: string, ctx: Context): Promise<ProvedSignals | null> {
  const { contribution } = await feedState(ctx.ledger.db, feed, login);
  if (contribution === null) return null;
  const { id, signals, sample_sha } = await getRun(ctx.ledger.db, contribution);
  if (signals === null) return null;
  const isThere = sample_sha !== null && (await usable(sample_sha, ctx));
  return { run: id, seen: signals.seen, sample: isThere ? ctx.archive.file(sample_sha) : null };
}

/** Compares a delivery with the one that was proved last; examples say the sheet and its row. */
export async function compareSignals(
  { seen, sample, parts }: Delivered,
  proved: ProvedSignals | null,
): Promise<Signals> {
  const older = proved === null ? null : { ...proved, sample: await sampleOf(proved.sample) };
  const signals = compareSeen({ seen, sample: await sampleOf(sample) }, older);
  const findings = signals.findings.map((finding) => ({
    ...finding,
    examples: finding.examples.map((example) => ({ ...example, ...placeIn(parts, example.line) })),
  }));
  return { ...signals, findings };
}

/** Compares what was seen of a run with what was proved last of its feed. */
export async function signalsOfRun(run: RunRow, seen: SeenSignals, ctx: Context): Promise<Signals> {
  const isThere = run.sample_sha !== null && (await usable(run.sample_sha, ctx));
  const sample = isThere ? ctx.archive.file(run.sample_sha!) : null;
  const proved = await provedSignals(run.feed, run.login, ctx);
  return compareSignals({ seen, sample, parts: run.detection?.parts ?? [] }, proved);
}

/** Null for none, and for one that was damaged after it was looked for. */
async function sampleOf(file: AnyFile | null): Promise<Sample | null> {
  if (file === null) return null;
  try {
    return await readSample(file);
  } catch (error) {
    if (damageOf(error) === null) throw error;
    return null;
  }
}

/** What an answer shows: null when the feed sees no columns and nothing is strange. Pure. */
export function shownSignals(signals: Signals | null): Signals | null {
  if (signals === null) return null;
  const { seen, findings } = signals;
  return seen.price === null && seen.stock === null && findings.length === 0 ? null : signals;
}
