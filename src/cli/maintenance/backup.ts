import { rm } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Made } from '../../backup/make-backup.ts';
import type { Manifest } from '../../backup/manifest.ts';
import type { BackupPlace } from '../../backup/place.ts';
import type { Verified } from '../../backup/verify-backup.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { OfferlineError } from '../../errors.ts';
import { counted, grouped } from '../../wording/words.ts';
import { whileGauged } from '../files/while-gauged.ts';
import type { Io } from '../io.ts';
import { loadFor, logFor } from '../session.ts';

const HELP = `
A place is a folder, file:///PATH, or s3://HOST/BUCKET/PREFIX with the parts of ARCHIVE_URL. Keys come from AWS_ACCESS_KEY_ID and
AWS_SECRET_ACCESS_KEY, or from a profile (?profile=NAME&file=PATH).

Runs while offerline works: the ledger is read as it is at one moment, then every file that it names. A backup adds only what is
not there yet; each holds everything that a restore needs, the configuration file included. Credentials of the environment are not
part of it. Who can read the place can read what suppliers sent.

--verify reads a backup as a restore does: every file is hashed, and the ledger is made again in a temporary folder. Exits with 1
if something is missing or damaged.

Example:
  offerline backup /mnt/backup/offerline --keep 14
  offerline backup 's3://s3.eu-central-1.amazonaws.com/backups/offerline'
  offerline backup /mnt/backup/offerline --verify
`;

type Options = { list?: true; verify?: true; backup?: string; keep?: string; json?: true };

/** Adds `backup`: everything that a restore needs, in another place. */
export function define(program: Command, io: Io): void {
  program
    .command('backup')
    .description('Back up the ledger, the files that it names and the configuration, while offerline works.')
    .argument('<to>', 'where to: a folder, file:///PATH or s3://HOST/BUCKET/PREFIX')
    .option('--keep <count>', 'keep so many backups, and remove older ones and what only they need (default: all)')
    .option('--list', 'list the backups of the place, and make none')
    .option('--verify', 'read a backup as a restore does, and make none')
    .option('--backup <id>', 'with --verify: which one (default: the newest)')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((to: string, options: Options, command: Command) => backup(to, options, command, io));
}

async function backup(to: string, options: Options, command: Command, io: Io): Promise<void> {
  const keep = countOf(options.keep);
  const [{ archivePlaceOf }, { openBackupPlace }, { assertHome }, { assertOutsideHome }] = await Promise.all([
    import('../../config/parse/archive-address.ts'),
    import('../../app/backup/open-place.ts'),
    import('../../app/assert-home.ts'),
    import('../../app/backup/outside-home.ts'),
  ]);
  const named = archivePlaceOf('The place', to);
  const asks = options.list === true || options.verify === true;
  if (options.backup !== undefined && options.verify !== true) {
    throw new OfferlineError('usage', '--backup says which backup --verify reads; a new one names itself.');
  }
  try {
    const loaded = asks ? null : await loadFor(command, io, 'reads');
    if (loaded !== null) {
      await assertHome(loaded);
      await assertOutsideHome(named, loaded.home);
    }
    const place = await openBackupPlace(named, io.env, { make: !asks, ...(loaded === null ? {} : { of: loaded }) });
    try {
      if (options.list === true) await list(place, options, io);
      else if (loaded === null) await verify(place, options, io);
      else await make(place, keep, loaded, options, io);
    } finally {
      await place.close();
    }
  } finally {
    io.endSoon();
  }
}

function countOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,5}$/u.test(text)) {
    throw new OfferlineError('usage', `--keep is "${text}"; write how many backups are to stay, such as 14.`);
  }
  return Number(text);
}

async function make(place: BackupPlace, keep: number | null, loaded: LoadedConfig, options: Options, io: Io) {
  const { installationOf, backupOf } = await import('../../app/backup/back-up.ts');
  const log = await logFor(loaded, io);
  const signal = io.stopSignal();
  const of = await installationOf(loaded);
  const made = await whileGauged('backup', 'copy', io, (meter) =>
    backupOf(of, place, { now: Date.now(), keep, meter, signal, log }),
  );
  if (options.json === true) io.json(madeFacts(made, place));
  else for (const line of linesOf(made, place)) io.out(line);
  io.exit(made.manifest.lost.length === 0 ? 0 : 1);
}

function madeFacts({ manifest, copied, ledgerBytes, removed }: Made, { where }: BackupPlace) {
  const { id, at, files, bytes, lost } = manifest;
  return { ok: lost.length === 0, to: where, backup: id, at, files, bytes, copied, ledgerBytes, lost, removed };
}

function* linesOf({ manifest, copied, removed }: Made, { where }: BackupPlace): Generator<string> {
  const { id, files, bytes, lost, tables } = manifest;
  yield `to       ${where}`;
  yield `backup   ${id}`;
  yield `ledger   ${counted(sum(tables), 'row')} in ${counted(tables.length, 'table')}`;
  yield `files    ${counted(files, 'file')}, ${shown(bytes)}; ${copied.files === 0 ? 'all were there' : `new: ${counted(copied.files, 'file')}, ${shown(copied.bytes)}`}`;
  if (removed.backups.length > 0) {
    yield `removed  ${counted(removed.backups.length, 'backup')}, ${counted(removed.files, 'file')} that only they needed`;
  }
  for (const { sha256, kind, owner, damage } of lost)
    yield `${damage.toUpperCase()} in the archive: ${kind} of ${owner} (${sha256})`;
  yield '';
  if (lost.length === 0) yield 'The backup is complete. `offerline restore` makes an installation of it.';
  else
    yield `The backup lacks ${counted(lost.length, 'file')} that the archive has lost. Run \`offerline verify --repair\`, and back up again.`;
}

function sum(tables: Manifest['tables']): number {
  return tables.reduce((rows, table) => rows + table.rows, 0);
}

function shown(bytes: number): string {
  return bytes < 1e5 ? `${grouped(bytes)} bytes` : `${(bytes / 1e6).toFixed(1)} MB`;
}

async function list(place: BackupPlace, options: Options, io: Io): Promise<void> {
  const { backupsIn, readManifest } = await import('../../backup/manifest.ts');
  const facts: (ListedBackup | { backup: string; error: string })[] = [];
  for (const id of await backupsIn(place)) {
    try {
      facts.push(listedOf(await readManifest(place, id)));
    } catch (error) {
      // One that is damaged must not hide the others from whoever has to choose.
      if (!(error instanceof OfferlineError) || error.code !== 'archive') throw error;
      facts.push({ backup: id, error: error.message });
    }
  }
  if (facts.some((one) => 'error' in one)) io.exit(1);
  if (options.json === true) return io.json(facts);
  if (facts.length === 0) io.out(`There is no backup in ${place.where}.`);
  for (const one of facts) io.out('error' in one ? `${one.backup}  ${one.error}` : listedLine(one));
}

type ListedBackup = ReturnType<typeof listedOf>;

function listedOf({ id, at, version, files, bytes, lost, ledger }: Manifest) {
  return { backup: id, at, version, ledger: ledger.id, files, bytes, lost: lost.length };
}

function listedLine({ backup: id, at, files, bytes, lost }: ListedBackup): string {
  const lacks = lost === 0 ? '' : `; lacks ${counted(lost, 'file')}`;
  return `${id}  ${new Date(at).toISOString()}  ${counted(files, 'file')}, ${shown(bytes)}${lacks}`;
}

async function verify(place: BackupPlace, options: Options, io: Io): Promise<void> {
  const [{ readManifest }, { verifyBackup }, { temporaryFolder }] = await Promise.all([
    import('../../backup/manifest.ts'),
    import('../../backup/verify-backup.ts'),
    import('../../io/temporary-folder.ts'),
  ]);
  const manifest = await readManifest(place, options.backup ?? null);
  const folder = await temporaryFolder('backup');
  try {
    const verified = await whileGauged('backup', 'copy', io, (meter) =>
      verifyBackup(manifest, place, { folder, meter }),
    );
    const isWhole = verified.broken.length === 0 && verified.unnamed.length === 0 && verified.ledger === null;
    const ok = isWhole && manifest.lost.length === 0;
    if (options.json === true) io.json({ ok, backup: manifest.id, at: manifest.at, ...verified, lost: manifest.lost });
    else for (const line of verifiedLines(manifest, verified, place)) io.out(line);
    io.exit(ok ? 0 : 1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function* verifiedLines(
  { id, at, lost }: Manifest,
  { files, broken, unnamed, ledger }: Verified,
  { where }: BackupPlace,
): Generator<string> {
  yield `from     ${where}`;
  yield `backup   ${id}, made ${new Date(at).toISOString()}`;
  yield `files    ${counted(files, 'file')} whole`;
  for (const { sha256, damage } of broken) yield `${damage.toUpperCase()}: ${sha256}`;
  for (const sha256 of unnamed) yield `NOT PART OF IT: ${sha256}, which the ledger names`;
  for (const { sha256, kind, owner } of lost) yield `LOST before the backup: ${kind} of ${owner} (${sha256})`;
  if (ledger !== null) yield `LEDGER cannot be made again: ${ledger}`;
  yield '';
  if (broken.length > 0 || unnamed.length > 0 || ledger !== null) {
    yield 'This backup is not whole. Make a new one; it brings what is missing again, and what is damaged once you have removed it.';
  } else if (lost.length > 0) yield 'Everything that was backed up is whole; the archive had lost the rest before.';
  else yield 'The backup is whole: its ledger was made again, and every file was read.';
}
