import { keptBytes } from '../archive/kept-file.ts';
import { OfferlineError } from '../errors.ts';
import type { Reference } from '../ledger/maintenance/references.ts';
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

/** The files that a backup names; fails with `archive` where another file stands in the place of their list. */
export async function namesOf(
  { id, names, files }: Pick<Manifest, 'id' | 'names' | 'files'>,
  place: Pick<BackupPlace, 'files' | 'where'>,
): Promise<string[]> {
  const found = await readNames(names, place.files);
  const inOrder = found.every((one, at) => at === 0 || one > found[at - 1]!);
  if (inOrder && found.length === files) return found;
  throw new OfferlineError(
    'archive',
    `The backup ${id} in ${place.where} is damaged: ${names} is not the list of its ${files} files. Name another one with --backup; \`offerline backup --list\` shows all.`,
  );
}

/** What `writeNames` has written. */
async function readNames(sha256: string, files: Pick<BackupFiles, 'file'>): Promise<string[]> {
  const read: Buffer[] = [];
  for await (const bytes of keptBytes(files.file(sha256))) read.push(bytes);
  const text = Buffer.concat(read).toString('hex');
  return Array.from({ length: Math.ceil(text.length / (2 * LENGTH)) }, (_, at) =>
    text.slice(at * 2 * LENGTH, (at + 1) * 2 * LENGTH),
  );
}

/** The files that a ledger names and that its backup lacks although it should have them: those that were lost, or given up, before are known. */
export function unnamedIn(
  { lost, pruned }: Pick<Manifest, 'lost' | 'pruned'>,
  names: ReadonlySet<string>,
  references: readonly Reference[],
): Reference[] {
  const known = new Set([...lost.map(({ sha256 }) => sha256), ...(pruned ?? [])]);
  return (
    references
      .filter(({ sha256 }) => !names.has(sha256) && !known.has(sha256))
      // Earlier versions, which did not note what was given up, did not bring these.
      .filter(({ kind }) => pruned !== undefined || kind !== 'standing')
  );
}

/** Every file that a backup is made of. */
export async function filesOf(manifest: Manifest, place: BackupPlace): Promise<string[]> {
  const { tables, names, config } = manifest;
  return [
    ...tables.flatMap(({ pieces }) => pieces),
    names,
    ...(config === null ? [] : [config.sha256, config.learned ?? []].flat()),
    ...(await namesOf(manifest, place)),
  ];
}
