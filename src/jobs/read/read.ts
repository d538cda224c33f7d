import { join } from 'node:path';
import { whileVerified, type AnyFile } from '../../archive/kept-file.ts';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Detection } from '../../model.ts';
import { unpack } from '../../pull/unpack/unpack.ts';
import type { IssuesLayout } from '../../validate/issues/issue-log.ts';
import type { KeptRows } from '../../validate/checks/lost-zeros.ts';
import type { Pool } from '../../validate/fast/driver/pool.ts';
import { SIZES } from '../../validate/fast/driver/sizes.ts';
import type { RowsLayout, Validation } from '../../validate/validate.ts';

export type ReadInput = {
  /** The delivery as it came, packed or not. */
  path: AnyFile;
  /** Its name, for messages. */
  name: string;
  /** Where unpacked text, rows and issues are written; the caller removes it. */
  folder: string;
  settings: ReadSettings;
  /** Where accepted rows go instead of into the folder, and how; null: nowhere. */
  rows?: { path: string; layout: RowsLayout } | null | undefined;
  /** Where issues go instead of into the folder, and how; null: nowhere. */
  issues?: { path: string; layout: IssuesLayout } | null | undefined;
  /** The accepted rows of the delivery that is live, where there is one. */
  earlier?: KeptRows | null;
};

/** What is in a delivery. Without a sure dialect nothing is validated, and the two paths name no files. */
export type ReadResult = {
  /** The name of the text file inside the delivery, and its path and size. */
  name: string;
  path: string;
  bytes: number;
  detection: Detection;
  rowsPath: string;
  issuesPath: string;
} & ({ unsure: false; reason: null; validation: Validation } | { unsure: true; reason: string; validation: null });

/**
 * Unpacks, detects and validates a delivery. Throws `file-rejected` when there is no usable text in it, `disk-full`, and
 * `interrupted` when the signal is aborted.
 */
export function readFile(input: ReadInput, signal?: AbortSignal): Promise<ReadResult> {
  return whileVerified(input.path, (path) => readAt({ ...input, path }, signal));
}

async function readAt(input: ReadInput & { path: string }, signal?: AbortSignal): Promise<ReadResult> {
  const { folder, settings } = input;
  const { limits, entry } = settings;
  const unpacked = await unpack({ path: input.path, name: input.name, folder, limits, entry });
  const rowsPath = input.rows?.path ?? join(folder, 'rows.tsv');
  const issuesPath = input.issues?.path ?? join(folder, 'issues.jsonl');
  await using pool = await poolFor(unpacked.bytes);
  const { readText } = await import('./read-text.ts');
  return await readText({ ...input, pool, signal }, { ...unpacked, rowsPath, issuesPath });
}

/** The threads for a large file start while all that reads it is loaded, and its dialect found out. */
async function poolFor(bytes: number): Promise<Pool | null> {
  if (bytes < SIZES.thread * 2) return null;
  const { openPool } = await import('../../validate/fast/driver/pool.ts');
  return openPool(bytes, SIZES);
}
