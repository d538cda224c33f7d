import { join } from 'node:path';
import { whileVerified, type AnyFile } from '../../archive/kept-file.ts';
import { setTotal } from '../../gauge.ts';
import { unpack } from '../../pull/unpack/unpack.ts';
import type { Pool } from '../../validate/fast/driver/pool.ts';
import { SIZES } from '../../validate/fast/sizes.ts';
import type { ReadResult, TextInput } from './read-text.ts';

/** A delivery as it came, packed or not, its name for messages, and how to read it. */
export type ReadInput = TextInput & { path: AnyFile; name: string };

/**
 * Unpacks, detects and validates a delivery. Throws `file-rejected` when it contains no usable table, `disk-full`, and
 * `interrupted` when the signal is aborted.
 */
export function readFile(input: ReadInput, signal?: AbortSignal): Promise<ReadResult> {
  return whileVerified(input.path, (path) => readAt({ ...input, path }, signal));
}

async function readAt(input: ReadInput & { path: string }, signal?: AbortSignal): Promise<ReadResult> {
  const { folder, settings } = input;
  const { limits, entry } = settings;
  const { format, passedOver, ...unpacked } = await unpack({
    path: input.path,
    name: input.name,
    folder,
    limits,
    entry,
  });
  const table =
    format === 'text'
      ? null
      : await (await import('./as-text.ts')).asText({ ...unpacked, format }, { folder, settings, signal });
  const text = table?.text ?? unpacked;
  setTotal(input.meter, text.bytes);
  const rowsPath = input.rows?.path ?? join(folder, 'rows.tsv');
  const issuesPath = input.issues?.path ?? join(folder, 'issues.jsonl');
  await using pool = await poolFor(text.bytes);
  const { readText } = await import('./read-text.ts');
  const read = await readText(
    { ...input, settings: table?.settings ?? settings, pool, signal },
    { ...text, rowsPath, issuesPath },
    { table, passedOver },
  );
  const result = table === null ? read : withNotes(read, table.notes);
  const { validation } = result;
  const isNumbered = input.rows === undefined || input.rows?.layout.numbered === true;
  if (validation?.outcome !== 'accepted' || !isNumbered) return result;
  const { seeDelivery } = await import('./see-delivery.ts');
  return { ...result, seen: await seeDelivery({ ...result, validation }, input, signal) };
}

/** A file of which no row can be used is rejected with what its tables lack, such as the results of formulas. */
function withNotes(result: ReadResult, notes: string[]): ReadResult {
  const { validation } = result;
  if (validation === null || validation.reason === null || notes.length === 0) return { ...result, notes };
  return { ...result, notes, validation: { ...validation, reason: [validation.reason, ...notes].join(' ') } };
}

/** Starts the threads for a large file early: they load while its dialect is detected. */
async function poolFor(bytes: number): Promise<Pool | null> {
  if (bytes < SIZES.thread * 2) return null;
  const { openPool } = await import('../../validate/fast/driver/pool.ts');
  return openPool(bytes, SIZES);
}
