import { rename } from 'node:fs/promises';
import { parse } from 'node:path/posix';
import type { Readable } from 'node:stream';
import yazl from 'yazl';
import type { Listed } from '../choose/choose.ts';
import { save } from '../save/save.ts';
import { cleanName, type PulledFile, type PullInput } from '../source.ts';
import { SEVERAL_FILES } from '../unpack/several-files.ts';

/** A file of a delivery, where its bytes are. */
export type Brought = { listed: Listed; path: string; bytes: number; sha256: string };

/** A day that every time zone and every run of the program has alike. */
const A_DAY = new Date(1980, 0, 1);

/** `beside`: files that came with it and are no part of it. */
type Delivery = { files: Brought[]; beside: Listed[]; superseded: Listed[]; origin: string };

/**
 * Makes one delivery of several files: an archive that has them as they came, and nothing else, so that the same files are the same bytes
 * whenever they are packed. A single file stays as it is. Throws as `save`.
 */
export async function packDelivery(
  { files, beside, superseded, origin }: Delivery,
  { target, limits, signal }: Pick<PullInput, 'target' | 'limits' | 'signal'>,
): Promise<PulledFile> {
  const [first, ...others] = files as [Brought, ...Brought[]];
  const name = deliveryName(files.map(({ listed }) => listed));
  const saved =
    others.length === 0 ? await moved(first, target) : await packed(files, name, { target, limits, signal });
  const modifiedAt = newestOf(files);
  const { bytes, sha256 } = saved;
  return {
    kind: 'file',
    name,
    path: target,
    bytes,
    sha256,
    checkpoint: { origin, name, size: bytes, sha256, mtimeMs: modifiedAt },
    superseded: superseded.map((file) => cleanName(file.name)),
    listed: {
      taken: first.listed,
      also: [...others.map(({ listed }) => listed), ...beside.map(asListed)],
      superseded: superseded.map(asListed),
    },
    modifiedAt,
  };
}

async function moved({ path, bytes, sha256 }: Brought, target: string) {
  await rename(path, target);
  return { bytes, sha256 };
}

async function packed(
  files: Brought[],
  name: string,
  { target, limits, signal }: Pick<PullInput, 'target' | 'limits' | 'signal'>,
) {
  const limit = limits.fileSize;
  const zip = new yazl.ZipFile();
  const options = { mtime: A_DAY, mode: 0o100644, compress: false, forceDosTimestamp: true } as const;
  const taken = new Set<string>();
  for (const { path, listed } of files) zip.addFile(path, freeName(cleanName(listed.name), taken), options);
  const failed = new Promise<never>((_resolve, reject) => zip.on('error', reject));
  zip.end({ comment: SEVERAL_FILES, forceZip64Format: false });
  return Promise.race([save(zip.outputStream as Readable, { target, limit, what: name, signal }), failed]);
}

/** The name, or the first of `prices (2).csv` and so on that no other file has: two mails may have attachments of one name. */
function freeName(wanted: string, taken: Set<string>): string {
  const name = wanted.replaceAll(/[/\\]/g, '_') || 'file';
  const { name: stem, ext } = parse(name);
  let found = name;
  for (let number = 2; taken.has(found); number += 1) found = `${stem} (${number})${ext}`;
  taken.add(found);
  return found;
}

/** `brakes-and-2-more.zip`; of a single file its own name. */
export function deliveryName(files: Listed[]): string {
  const [first, ...others] = files.map(({ name }) => cleanName(name));
  return others.length === 0 ? first! : `${parse(first!).name.slice(0, 100)}-and-${others.length}-more.zip`;
}

/** A file as the ledger remembers it: what a place knows of it beside that stays there. */
function asListed({ name, size, mtimeMs, id, shownAt, inexact }: Listed): Listed {
  const listed: Listed = { name, size, mtimeMs };
  if (id !== undefined) listed.id = id;
  if (shownAt !== undefined) listed.shownAt = shownAt;
  if (inexact !== undefined) listed.inexact = inexact;
  return listed;
}

function newestOf(files: Brought[]): number | null {
  const times = files.flatMap(({ listed: { mtimeMs } }) => (mtimeMs === null ? [] : [mtimeMs]));
  return times.length === 0 ? null : Math.max(...times);
}
