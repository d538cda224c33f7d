import { damageOf, type AnyFile } from '../../archive/kept-file.ts';
import type { SeenSignals, Signals } from '../../model.ts';
import { compareSeen } from '../../signals/compare.ts';
import { readSample, type Sample } from '../../signals/sample.ts';

/** What was seen of a delivery, and its sample; null where no columns were seen, or it is no longer there. */
export type Sampled = { seen: SeenSignals; sample: AnyFile | null };

/** What was seen of the delivery that was proved last. */
export type ProvedSignals = Sampled & { run: string };

/** Compares a delivery with the one that was proved last, null when there is none. Runs in a thread. */
export async function compareSamples({
  newer,
  proved,
}: {
  newer: Sampled;
  proved: ProvedSignals | null;
}): Promise<Signals> {
  const older = proved === null ? null : { ...proved, sample: await sampleOf(proved.sample) };
  return compareSeen({ seen: newer.seen, sample: await sampleOf(newer.sample) }, older);
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
