import { posix, win32 } from 'node:path';
import { z } from 'zod';
import { OfferlineError } from '../errors.ts';
import { timeId } from '../ledger/ids.ts';
import type { BackupPlace } from './place.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** A table or column: what is none of ours must not come near a statement. */
const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/u);
const identifiers = z.array(identifier).nonempty().refine(areDifferent);

/** What people read, and a path could be made of. */
const line = z.string().regex(/^\P{Cc}*$/u);

const tableSchema = z
  .object({ name: identifier, columns: identifiers, key: identifiers, rows: count, pieces: z.array(sha256) })
  .refine(({ columns, key }) => key.every((column) => columns.includes(column)));

/** The last moment that a date can be, in epoch milliseconds. */
const LATEST = 8.64e15;

const manifestSchema = z.object({
  /** Of a backup, not of the program: raised when an older program could not read it. */
  format: z.literal(1),
  id: line,
  /** When the ledger was read, in epoch milliseconds, and by which version of the program. */
  at: z.number().int().min(0).max(LATEST),
  version: line,
  ledger: z.object({
    id: line.min(1),
    engine: z.enum(['sqlite', 'postgres']),
    archive: line.nullable(),
    migration: line.min(1),
  }),
  /** The tables in an order in which they can be filled, and the files that their rows are in. */
  tables: z
    .array(tableSchema)
    .refine((tables) => areDifferent(tables.map(({ name }) => name)))
    .refine((tables) => ['meta', 'runs', 'uploads'].every((name) => tables.some((table) => table.name === name))),
  /** The file that lists those that the ledger names. */
  names: sha256,
  files: count,
  bytes: count,
  /** The configuration file: where it was, its text, and that of the learned settings beside it. */
  config: z.object({ path: line, sha256, learned: sha256.optional() }).nullable(),
  /** The home of the installation. */
  home: line.refine((home) => posix.isAbsolute(home) || win32.isAbsolute(home)),
  /** Files that the ledger names and that its archive did not have, or not whole. */
  lost: z.array(z.object({ sha256, kind: line, owner: line, damage: line })),
  /** Files that the ledger names and that nothing counts on any more (`keep`): they are not part of the backup. Earlier versions did not say. */
  pruned: z.array(sha256).optional(),
});

/** What is in one backup, and where. */
export type Manifest = z.infer<typeof manifestSchema>;

const FOLDER = 'backups/';

/** How a backup is named; a copy that somebody made of it, or what a file manager leaves there, is none. */
const NAME = /^backups\/(\d{6,15}-\d{8}-\d{6}-[\da-z]+)\.json$/u;

/** The ids of the backups of a place, the oldest first. */
export async function backupsIn(place: BackupPlace): Promise<string[]> {
  const names = await place.texts(FOLDER);
  const ids = names.flatMap((name) => NAME.exec(name)?.[1] ?? []);
  return ids.toSorted((a, b) => numberIn(a) - numberIn(b) || (a < b ? -1 : 1));
}

/** Digits of the number that a backup's id begins with, at least. */
const DIGITS = 6;

function numberIn(id: string): number {
  return Number.parseInt(id, 10);
}

/** The id of the next backup of a place: its number, which decides the order whatever clocks say, and its time for people. */
export function nextId(before: readonly string[], now: number): string {
  const last = Number.parseInt(before.at(-1) ?? '0', 10);
  return `${String((Number.isNaN(last) ? 0 : last) + 1).padStart(DIGITS, '0')}-${timeId(now)}`;
}

/** Fails with `archive` where a backup that is being read is not there any more: another one has taken its place, and files that it needs may be gone. */
export async function assertListed(place: BackupPlace, id: string): Promise<void> {
  await place.assertThere();
  if ((await backupsIn(place)).includes(id)) return;
  throw new OfferlineError(
    'archive',
    `The backup ${id} in ${place.where} was removed while it was read, as \`--keep\` and \`backup.keep\` remove older ones. Read a newer one.`,
  );
}

/** Writes the last part of a backup: from then on there is one. */
export async function writeManifest(place: BackupPlace, manifest: Manifest): Promise<void> {
  await place.writeText(nameOf(manifest.id), `${JSON.stringify(manifest)}\n`);
}

/** Forgets a backup; its files stay until nothing names them. */
export async function removeManifest(place: BackupPlace, id: string): Promise<void> {
  await place.removeText(nameOf(id));
}

/** What is in a backup; `id`: null for the newest. Fails with `not-found` where there is none, with `archive` for one that cannot be read. */
export async function readManifest(place: BackupPlace, id: string | null): Promise<Manifest> {
  const all = await backupsIn(place);
  const chosen = id ?? all.at(-1);
  if (chosen === undefined) {
    throw new OfferlineError(
      'not-found',
      `There is no backup in ${place.where}. Name the place that \`offerline backup\` wrote to.`,
    );
  }
  const text = all.includes(chosen) ? await place.readText(nameOf(chosen)) : null;
  if (text === null) {
    const names = all.slice(-SHOWN).join(', ');
    throw new OfferlineError('not-found', `There is no backup ${chosen} in ${place.where}. The newest are: ${names}.`);
  }
  const read = manifestSchema.safeParse(parsed(text));
  if (read.success && read.data.id === chosen) return read.data;
  const wrong = read.success ? 'id' : (read.error.issues[0]?.path.join('.') ?? '');
  throw new OfferlineError(
    'archive',
    `The backup ${chosen} in ${place.where} cannot be read${wrong === '' ? '' : ` (${wrong})`}: it is damaged, or a newer version of offerline made it. Name another one with --backup; \`offerline backup --list\` shows all.`,
  );
}

const SHOWN = 5;

function nameOf(id: string): string {
  return `${FOLDER}${id}.json`;
}

function areDifferent(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
