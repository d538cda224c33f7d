import { join } from 'node:path';
import { whileVerified, type AnyFile } from '../../archive/kept-file.ts';
import { setTotal } from '../../gauge.ts';
import type { UnpackedAll } from '../../pull/unpack/unpack-all.ts';
import { hasSeveralFiles } from '../../pull/unpack/several-files.ts';
import { unpack, type Unpacked } from '../../pull/unpack/unpack.ts';
import { listFilePath } from '../../validate/scan/scan-files.ts';
import { poolFor } from './joined/pool-for.ts';
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
  const { folder, rows, issues } = input;
  const paths = {
    rowsPath: rows?.path ?? join(folder, 'rows.tsv'),
    issuesPath: issues?.path ?? join(folder, 'issues.jsonl'),
  };
  const { files, passedOver } = await unpackWanted(input);
  const result =
    files.length === 1 && input.settings.join === null
      ? await readOne(input, files[0]!, paths, signal)
      : await readAll(input, { files, passedOver }, paths, signal);
  const { validation } = result;
  // What is seen of some rows says nothing of all of them.
  if (input.settings.changes !== undefined) return { ...result, lines: await linesIn(result) };
  const isNumbered = rows === undefined || rows?.layout.numbered === true;
  if (validation?.outcome !== 'accepted' || !isNumbered) return result;
  const { seeDelivery } = await import('./see-delivery.ts');
  return { ...result, seen: await seeDelivery({ ...result, validation }, input, signal) };
}

/** How many lines what was read has at most, also of several files. */
async function linesIn({ path, detection: { files = [] } }: ReadResult): Promise<number> {
  const { mostLines } = await import('./several/list-texts.ts');
  const last = files.at(-1);
  return last === undefined ? mostLines(path) : last.line - 1 + (await mostLines(listFilePath(path, files.length - 1)));
}

/** The one file of a delivery, or those that the settings say are read as one list. */
async function unpackWanted({ path, name, folder, settings }: ReadInput & { path: string }): Promise<UnpackedAll> {
  const { limits, entry, entries, join, unpack: keys } = settings;
  const isPacked = hasSeveralFiles(path);
  if (entries === null && join === null && !isPacked) {
    return { files: [await unpack({ path, name, folder, limits, entry, keys })], passedOver: [] };
  }
  const { unpackAll } = await import('../../pull/unpack/unpack-all.ts');
  // Files that are joined may also be in an archive that somebody else has packed.
  const wanted =
    entries === null ? (isPacked ? { one: entry } : 'all') : entries === 'all' ? entries : { globs: entries };
  return unpackAll({ path, name, folder, limits, keys, entries: wanted });
}

type Paths = Pick<ReadResult, 'rowsPath' | 'issuesPath'>;

async function readAll(
  input: ReadInput,
  unpacked: UnpackedAll,
  paths: Paths,
  signal: AbortSignal | undefined,
): Promise<ReadResult> {
  const { name, folder } = input;
  const bytes = unpacked.files.reduce((sum, file) => sum + file.bytes, 0);
  const work = { ...input, pool: null, signal };
  const text = { name, path: folder, bytes, ...paths };
  const { join } = input.settings;
  if (join !== null) {
    const { readJoined } = await import('./joined/read-joined.ts');
    const joined = await readJoined(work, text, unpacked, join);
    return withNotes(joined, joined.notes ?? []);
  }
  const { readSeveral } = await import('./several/read-several.ts');
  const read = await readSeveral(work, text, unpacked);
  return withNotes(read, read.notes ?? []);
}

async function readOne(
  input: ReadInput,
  { format, passedOver, ...unpacked }: Unpacked,
  paths: Paths,
  signal: AbortSignal | undefined,
): Promise<ReadResult> {
  const { folder, settings } = input;
  const table =
    format === 'text'
      ? null
      : await (await import('./as-text.ts')).asText({ ...unpacked, format }, { folder, settings, signal });
  const text = table?.text ?? unpacked;
  setTotal(input.meter, text.bytes);
  await using pool = await poolFor(text.bytes);
  const { readText } = await import('./read-text.ts');
  const read = await readText(
    { ...input, settings: table?.settings ?? settings, pool, signal },
    { ...text, ...paths },
    { table, passedOver },
  );
  return table === null ? read : withNotes(read, table.notes);
}

/** A file of which no row can be used is rejected with what its tables lack, such as the results of formulas. */
function withNotes(result: ReadResult, notes: string[]): ReadResult {
  const { validation } = result;
  if (validation === null || validation.reason === null || notes.length === 0) return { ...result, notes };
  return { ...result, notes, validation: { ...validation, reason: [validation.reason, ...notes].join(' ') } };
}
