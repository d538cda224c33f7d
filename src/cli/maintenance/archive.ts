import { isAbsolute } from 'node:path';
import type { Command } from 'commander';
import type { Amount, Copied } from '../../archive/copy/copy-archive.ts';
import { counted, grouped } from '../../wording/words.ts';
import { whileGauged } from '../files/while-gauged.ts';
import type { Io } from '../io.ts';
import { loadFor, logFor } from '../session.ts';

const HELP = `
A place is a folder, file:///PATH, or s3://HOST/BUCKET/PREFIX with the parts of ARCHIVE_URL. Keys come from AWS_ACCESS_KEY_ID and
AWS_SECRET_ACCESS_KEY, or from a profile (?profile=NAME&file=PATH); what stands in a command, others on this machine can read.

Runs while offerline works, too, and may be stopped and called again: it continues. Each file is hashed on the way, and what is there
already is read and hashed. Files that came in meanwhile are brought by the next call. Exits with 1 if a file is damaged, which is not
copied.

Example:
  offerline archive copy --to 's3://s3.eu-central-1.amazonaws.com/offers/north'
  offerline archive copy --to 's3://s3.eu-central-1.amazonaws.com/offers/north' --size-only
  offerline archive copy --from 's3://s3.eu-central-1.amazonaws.com/offers/north' --to /var/lib/offerline/archive
`;

type Options = { to: string; from?: string; sizeOnly?: true; json?: true };

/** What `archive copy` answers. */
type CopyAnswer = { ok: boolean; complete: boolean; from: string; to: string } & Copied;

/** Adds `archive copy`: everything that is kept, in another place. */
export function define(program: Command, io: Io): void {
  const archive = program
    .command('archive')
    .description('Copy the archive to another place: a folder or a bucket.')
    .addHelpText(
      'after',
      "\nExample:\n  offerline archive copy --to 's3://s3.eu-central-1.amazonaws.com/offers/north'\n",
    );
  archive
    .command('copy')
    .description('Copy the archive to a folder or bucket, verified, and continue where an earlier call ended.')
    .requiredOption('--to <place>', 'where to: a folder, file:///PATH or s3://HOST/BUCKET/PREFIX')
    .option('--from <place>', 'where from (default: the archive of the installation)')
    .option('--size-only', 'do not read again what is there already in the right size')
    .option('--json', 'one JSON value: {ok, complete, from, to, copied, skipped, gone, left, damaged}')
    .addHelpText('after', HELP)
    .action((options: Options, command: Command) => copy(options, command, io));
}

async function copy(options: Options, command: Command, io: Io): Promise<void> {
  try {
    const answer = await copied(options, command, io);
    if (options.json === true) io.json(answer);
    else for (const line of linesOf(answer)) io.out(line);
    io.exit(answer.ok ? 0 : 1);
  } finally {
    io.endSoon();
  }
}

async function copied(options: Options, command: Command, io: Io): Promise<CopyAnswer> {
  const [{ archivePlaceOf }, { openArchiveCopy }, { copyArchive }] = await Promise.all([
    import('../../config/parse/archive-address.ts'),
    import('../../app/open-archive-copy.ts'),
    import('../../archive/copy/copy-archive.ts'),
  ]);
  const to = archivePlaceOf('--to', options.to);
  const from = options.from === undefined ? null : archivePlaceOf('--from', options.from);
  const loaded = await loadFor(command, io);
  const log = await logFor(loaded, io);
  const { source, target, allow, close } = await openArchiveCopy({ from, to }, loaded, log);
  const places = { from: source.place, to: target.place };
  const signal = io.stopSignal();
  const onPage = ({ copied: { files, bytes }, skipped }: Copied) =>
    log.info({ ...places, files, bytes, skipped: skipped.files }, 'the archive is being copied');
  try {
    const done = await whileGauged('archive', 'copy', io, (meter) =>
      copyArchive(source, target, { sizeOnly: options.sizeOnly === true, meter, onPage, signal }),
    );
    const complete = done.left === 0;
    if (complete) await allow();
    return { ok: done.damaged.length === 0, complete, ...places, ...done };
  } finally {
    await close();
  }
}

function* linesOf({ complete, from, to, copied: made, skipped, gone, left, damaged }: CopyAnswer): Generator<string> {
  yield `from     ${from}`;
  yield `to       ${to}`;
  yield `copied   ${shown(made)}`;
  yield `skipped  ${shown(skipped)}, there already`;
  if (gone > 0) yield `gone     ${counted(gone, 'file')}, removed before it was their turn`;
  for (const { path, damage } of damaged) yield `\n${damage.toUpperCase()}, not copied: ${path}`;
  if (damaged.length > 0) yield '\nRun `offerline verify --repair`, and copy again.';
  yield '';
  if (!complete) {
    yield `Not complete: ${counted(left, 'file')} came in meanwhile. Stop offerline and run the same command again; --size-only is faster.`;
  } else {
    yield `${damaged.length === 0 ? 'Everything has been copied.' : 'Everything else has been copied.'} To keep files there from now on:`;
    // A folder is the archive of an installation only within its home.
    const setting = isAbsolute(to)
      ? 'move the folder to HOME/archive unless it is there, remove `archive` and ARCHIVE_URL'
      : 'set `archive` or ARCHIVE_URL';
    yield `stop offerline, run the same command again for what came in meanwhile, ${setting}, and run \`offerline verify\`.`;
  }
}

function shown({ files, bytes }: Amount): string {
  return `${counted(files, 'file')}, ${bytes < 1e5 ? `${grouped(bytes)} bytes` : `${(bytes / 1e6).toFixed(1)} MB`}`;
}
