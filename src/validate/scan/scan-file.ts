import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import { setDone, type Meter } from '../../gauge.ts';
import type { Detection } from '../../model.ts';
import { listFilePath, scanFiles } from './scan-files.ts';
import type { ScannedRow } from './scan-rows.ts';
import { scanText, sourceOfText, type Source } from './scan-text.ts';

export type { Source } from './scan-text.ts';

/** A text file, or the folder of several that are read as one, how it is written, and how long its rows may be. */
export type Scanned = { path: string; detection: Detection; settings: Pick<ReadSettings, 'limits'> };

/** Finds out how the scanner has to cut a file into rows; of several each is cut in its own way. */
export function sourceOf(scanned: Scanned): Source {
  const { files } = scanned.detection;
  if (files === undefined) return sourceOfText(scanned);
  const [first] = files;
  return sourceOfText({ ...scanned, path: listFilePath(scanned.path, 0), detection: first!.written });
}

/** The rows of a text file, or of several, from the header on, as they are written, a piece of the file at a time. */
export async function* scanFile(
  scanned: Scanned & { meter?: Meter | undefined },
  source: Source,
): AsyncGenerator<ScannedRow[]> {
  setDone(scanned.meter, 0);
  const { files } = scanned.detection;
  if (files === undefined) yield* scanText(scanned, source);
  else yield* scanFiles({ ...scanned, detection: { ...scanned.detection, files } });
}
