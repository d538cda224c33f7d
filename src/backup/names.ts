import { keptBytes } from '../archive/kept-file.ts';
import type { Manifest } from './manifest.ts';
import type { BackupFiles, BackupPlace } from './place.ts';

/** Bytes of a SHA-256. */
const LENGTH = 32;

/** Writes which files a backup names, in the order of their hashes. */
export async function writeNames(sha256s: Iterable<string>, files: Pick<BackupFiles, 'put'>): Promise<string> {
  const sorted = [...new Set(sha256s)].toSorted();
  const { sha256 } = await files.put(pieces(sorted));
  return sha256;
}

async function* pieces(sorted: string[]): AsyncGenerator<Buffer> {
  const AT_ONCE = 1000;
  for (let from = 0; from < sorted.length; from += AT_ONCE) {
    yield Buffer.from(sorted.slice(from, from + AT_ONCE).join(''), 'hex');
  }
}

/** The files that a backup names. */
export async function readNames(sha256: string, files: Pick<BackupFiles, 'file'>): Promise<string[]> {
  const read: Buffer[] = [];
  for await (const bytes of keptBytes(files.file(sha256))) read.push(bytes);
  const text = Buffer.concat(read).toString('hex');
  return Array.from({ length: text.length / (2 * LENGTH) }, (_, at) =>
    text.slice(at * 2 * LENGTH, (at + 1) * 2 * LENGTH),
  );
}

/** Every file that a backup is made of. */
export async function filesOf(manifest: Manifest, { files }: BackupPlace): Promise<string[]> {
  const { tables, names, config } = manifest;
  return [
    ...tables.flatMap(({ pieces }) => pieces),
    names,
    ...(config === null ? [] : [config.sha256]),
    ...(await readNames(names, files)),
  ];
}
