import { nothingRead } from '../../wording/account.ts';
import { tallyOf } from '../files/count-files.ts';
import { withMarks } from '../marks/with-marks.ts';
import { scanFile, type Source } from '../scan/scan-file.ts';
import type { ScannedRow } from '../scan/scan-rows.ts';
import { countSample, TABLE_SAMPLE, type Reading } from './read-rows.ts';

/** What a reading begins with: the file, how it is read, and where its rows and issues go. */
type Beginning = Pick<Reading, 'settings' | 'detection' | 'earlierHeader' | 'parts' | 'rows' | 'issues'> &
  Partial<Pick<Reading, 'isMaker' | 'onRule'>>;

/** A reading of which no row was read yet. */
export function beginReading({ settings, detection, ...beginning }: Beginning): Reading {
  return {
    ...beginning,
    settings: withMarks(settings, detection),
    detection,
    counts: nothingRead(),
    files: tallyOf(detection.files),
    unskipped: 0,
    skipped: {},
    unwrapped: [],
    ruled: [],
    run: { length: 0, next: 0 },
    map: null,
    check: null,
    reason: null,
  };
}

/** The rows of a file in batches, of which those with which the table begins come together until they show what it is like. */
export async function* batchesOf(file: Parameters<typeof scanFile>[0], source: Source): AsyncGenerator<ScannedRow[]> {
  let first: ScannedRow[] = [];
  let sample = 0;
  for await (const batch of scanFile(file, source)) {
    if (sample < TABLE_SAMPLE) sample += countSample(batch, sample > 0);
    if (first.length === 0 && (sample === 0 || sample >= TABLE_SAMPLE)) {
      yield batch;
      continue;
    }
    for (const row of batch) first.push(row);
    if (sample < TABLE_SAMPLE) continue;
    yield first;
    first = [];
  }
  if (first.length > 0) yield first;
}
