import type { Archive } from '../archive/archive.ts';
import { damageOf, keptBytes } from '../archive/kept-file.ts';
import { OfferlineError } from '../errors.ts';
import { count, setTotal, type Meter } from '../gauge.ts';
import { inParallel } from '../io/in-parallel.ts';
import { referencesTo, type Reference } from '../ledger/maintenance/references.ts';
import { readSnapshot, type Snapshot } from '../ledger/maintenance/snapshot.ts';
import { VERSION } from '../version.ts';
import { examineLeftovers } from './leftovers.ts';
import { backupsIn, nextId, readManifest, removeManifest, writeManifest, type Manifest } from './manifest.ts';
import { filesOf, writeNames } from './names.ts';
import { writePieces } from './pieces.ts';
import type { BackupPlace } from './place.ts';

/** What a backup is made of. */
export type BackupOf = {
  ledger: { file: string; databaseUrl?: string | undefined };
  archive: Pick<Archive, 'file'>;
  /** The configuration file, what was learned beside it, and the home. */
  config: { path: string; text: Buffer; learned: Buffer | null } | null;
  home: string;
};

export type BackupOptions = {
  now: number;
  /** So many backups stay, the newest; null: all. */
  keep: number | null;
  meter: Meter;
  signal: AbortSignal;
  /** Fails where another process may make a backup to the same place by now: one would remove files that the other counts on. */
  assertAlone?: () => Promise<void>;
  /** Works while no prune removes files of the archive, with those that the ledger counts on by then. */
  whileNoPrune?: <T>(work: (counted: ReadonlySet<string>) => Promise<T>) => Promise<T>;
};

/** What became of a backup. `copied`: files that were not there yet. */
export type Made = {
  manifest: Manifest;
  copied: { files: number; bytes: number };
  ledgerBytes: number;
  /** The backups that went, and the files that only they named. */
  removed: { backups: string[]; files: number };
};

/** So many files at once: a store answers each of them after a while. */
const AT_ONCE = 8;

/** Bytes that are read at once of a file, and at its beginning: most files are small, and memory for more is memory to be cleared away. */
const LARGE = 256 * 1024;
const SMALL = 16 * 1024;

/**
 * Backs an installation up, also while it works: the ledger as it is at one moment, and every file that it names then. What is there already is not
 * written again. Stopped at any moment, it leaves no backup, and the next one continues.
 */
export async function makeBackup(of: BackupOf, place: BackupPlace, options: BackupOptions): Promise<Made> {
  const inDoubt = (await place.begin()) ? await examineLeftovers(place, () => throwIfStopped(options.signal)) : [];
  const {
    ledger,
    references,
    bytes: ledgerBytes,
  } = await readSnapshot(of.ledger, async (snapshot) => {
    const written = await writeLedger(snapshot, place, options.signal);
    return { ...written, references: await referencesTo(snapshot.db, null) };
  });
  const config = of.config === null ? null : await putConfig(of.config, place);
  const { lost, pruned, ...amount } = await bringFiles(references, of.archive, place, options);
  const named = new Set(references.map(({ sha256 }) => sha256));
  for (const sha256 of [...lost.map((one) => one.sha256), ...pruned]) named.delete(sha256);
  const manifest: Manifest = {
    format: 1,
    id: nextId(await backupsIn(place), options.now),
    at: options.now,
    version: VERSION,
    ...ledger,
    names: await writeNames(named, place.files),
    files: named.size,
    bytes: amount.allBytes,
    config,
    home: of.home,
    lost,
    pruned,
  };
  await place.settle(inDoubt);
  throwIfStopped(options.signal);
  await options.assertAlone?.();
  await writeManifest(place, manifest);
  await place.end();
  const removed =
    options.keep === null
      ? { backups: [], files: 0 }
      : await keepNewest(place, options.keep, options.assertAlone ?? (() => Promise.resolve()));
  return { manifest, copied: { files: amount.files, bytes: amount.bytes }, ledgerBytes, removed };
}

async function writeLedger(snapshot: Snapshot, place: BackupPlace, signal: AbortSignal) {
  const { id, engine, archive, migration } = snapshot;
  const tables: Manifest['tables'] = [];
  let bytes = 0;
  for (const table of snapshot.tables) {
    throwIfStopped(signal);
    const { bytes: more, ...written } = await writePieces(table, snapshot.rows(table), place.files);
    tables.push({ ...table, ...written });
    bytes += more;
  }
  return { ledger: { ledger: { id, engine, archive, migration }, tables }, bytes };
}

async function putConfig({ path, text, learned }: NonNullable<BackupOf['config']>, place: BackupPlace) {
  const sha256 = await putBytes(text, place);
  return { path, sha256, ...(learned === null ? {} : { learned: await putBytes(learned, place) }) };
}

async function putBytes(bytes: Buffer, { files }: BackupPlace): Promise<string> {
  return (
    await files.put(
      (async function* () {
        yield bytes;
      })(),
    )
  ).sha256;
}

/**
 * Copies files. One that is not there is looked for again while no prune is at work: it may have been removed because nothing counts on it any more (`pruned`),
 * or taken away for as long as it takes to see that it was just brought in once more.
 */
async function bringFiles(
  references: Reference[],
  from: Pick<Archive, 'file'>,
  place: BackupPlace,
  options: BackupOptions,
): Promise<Copied & { pruned: string[] }> {
  const first = await copyFiles(references, from, place, options);
  const { whileNoPrune } = options;
  if (first.lost.length === 0 || whileNoPrune === undefined) return { ...first, pruned: [] };
  const missed = new Set(first.lost.map(({ sha256 }) => sha256));
  return whileNoPrune(async (counted) => {
    const still = references.filter(({ sha256 }) => missed.has(sha256) && counted.has(sha256));
    const again = await copyFiles(still, from, place, options);
    return {
      files: first.files + again.files,
      bytes: first.bytes + again.bytes,
      allBytes: first.allBytes + again.allBytes,
      lost: again.lost,
      pruned: [...missed].filter((sha256) => !counted.has(sha256)),
    };
  });
}

type Copied = { files: number; bytes: number; allBytes: number; lost: Manifest['lost'] };

async function copyFiles(
  references: Reference[],
  from: Pick<Archive, 'file'>,
  { files }: BackupPlace,
  { meter, signal }: BackupOptions,
): Promise<Copied> {
  const owners = new Map(references.map((reference) => [reference.sha256, reference]));
  const done: Copied = { files: 0, bytes: 0, allBytes: 0, lost: [] };
  const there = new Set<string>();
  for await (const { sha256, bytes } of files.list()) {
    if (!owners.has(sha256)) continue;
    there.add(sha256);
    done.allBytes += bytes;
  }
  const missing = [...owners.values()].filter(({ sha256 }) => !there.has(sha256));
  setTotal(meter, missing.length);
  await inParallel(missing, AT_ONCE, async ({ sha256, kind, owner }) => {
    throwIfStopped(signal);
    try {
      const { bytes } = await files.put(keptBytes(from.file(sha256), LARGE, SMALL));
      done.files += 1;
      done.bytes += bytes;
      done.allBytes += bytes;
    } catch (error) {
      const found = damageOf(error);
      if (found === null || found.sha256 !== sha256) throw error;
      done.lost.push({ sha256, kind, owner, damage: found.damage });
    }
    count(meter, 1);
  });
  return done;
}

/** So many files are removed, and so many milliseconds may pass, before it is made sure again that nobody else makes a backup. */
const REMOVED_AT_ONCE = 50;
const SURE_FOR = 5000;

/**
 * Removes the older backups, then the files that none of those that stay names. One that cannot be read may be whole for a newer version of the program: while
 * there is one, no file goes.
 */
async function keepNewest(
  place: BackupPlace,
  keep: number,
  assertAlone: () => Promise<void>,
): Promise<Made['removed']> {
  const all = await backupsIn(place);
  const old = all.slice(0, Math.max(0, all.length - keep));
  if (old.length === 0) return { backups: [], files: 0 };
  const named = await namedBy(place, all.slice(old.length));
  await assertAlone();
  for (const id of old) await removeManifest(place, id);
  let files = 0;
  if (named === null) return { backups: old, files };
  let sure = performance.now();
  for await (const { sha256 } of place.files.list()) {
    if (named.has(sha256)) continue;
    if (files % REMOVED_AT_ONCE === 0 || performance.now() - sure > SURE_FOR) {
      await assertAlone();
      sure = performance.now();
    }
    await place.removeFile(sha256);
    files += 1;
  }
  return { backups: old, files };
}

/** The files that some backups name; null where one of them cannot be read. */
async function namedBy(place: BackupPlace, ids: readonly string[]): Promise<Set<string> | null> {
  const named = new Set<string>();
  for (const id of ids) {
    try {
      for (const sha256 of await filesOf(await readManifest(place, id), place)) named.add(sha256);
    } catch (error) {
      if (!(error instanceof OfferlineError) || error.code !== 'archive') throw error;
      return null;
    }
  }
  return named;
}

function throwIfStopped(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new OfferlineError(
    'interrupted',
    'Interrupted. There is no new backup; the same command continues where this one ended.',
  );
}
