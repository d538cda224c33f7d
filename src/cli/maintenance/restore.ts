import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Command } from 'commander';
import { restoreMark } from '../../config/load.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import { readNote, type RestoreChoice } from '../../ledger/alerts/notes.ts';
import type { RestoredState } from '../../jobs/restored/restored-state.ts';
import type { Resumed } from '../../jobs/restored/plan-login.ts';
import { decisionOf } from '../decisions/decision.ts';
import type { Io } from '../io.ts';
import { inSession, loadFor } from '../session.ts';
import { configurationPath, restoreFrom, type Restored } from './restore-from.ts';
import { gapsIn, notAskedIn, type Gaps } from './restored-gaps.ts';
import { givenWords, restoredLines, resumedLines } from './restored-page.ts';
import { handOverPlace, termsIn } from './restored-place.ts';

const HELP = `
Run it on an empty machine: it takes the configuration file from the backup unless one is there, fills the ledger (in DATABASE_URL
if that is set) and brings the files. An archive that was not lost may stay: it gets what it lacks. Stopped, it continues when it
is called again. Credentials of the environment and files that the configuration names are not part of a backup: the page says which
are missing.

Nothing is sent before you have chosen. In the end, and whenever you call it without a place, it shows what is live, what the
backup does not know and what was delivered since. Then choose what to go on with:

  --resume live    What is live stays, and what the backup does not know of it is taken over.
  --resume backup  What the backup knows as live is sent again wherever something else is live.

From then on the original installation, if it comes back, finds itself replaced and stops.

Example:
  offerline restore /mnt/backup/offerline --config /etc/offerline/offerline.yaml
  offerline restore
  offerline restore --resume live
`;

type Options = { backup?: string; resume?: string; reason?: string; json?: true };

/** What `restore` answers. */
type Answer = {
  restored: Restored | null;
  state: (RestoredState & Gaps) | null;
  resumed: Resumed[] | null;
};

/** Adds `restore`: an installation made of a backup. */
export function define(program: Command, io: Io): void {
  program
    .command('restore')
    .description(
      'Make an installation of a backup, show what the backup does not know, and go on when you have chosen.',
    )
    .argument(
      '[from]',
      'the place that `offerline backup` wrote to; without it: the installation that was restored before',
    )
    .option('--backup <id>', 'which backup (default: the newest); `offerline backup PLACE --list` shows all')
    .option('--resume <what>', 'go on with `live` or `backup`, also together with a place')
    .option('--reason <text>', 'with --resume: why; recorded with your name', 'after a restore')
    .option('--json', 'one JSON value: {restored, state, resumed}')
    .addHelpText('after', HELP)
    .action((from: string | undefined, options: Options, command: Command) => restore(from, options, command, io));
}

async function restore(from: string | undefined, options: Options, command: Command, io: Io): Promise<void> {
  const choice = choiceOf(options.resume);
  if (from === undefined && options.backup !== undefined) {
    throw new OfferlineError(
      'usage',
      '--backup needs the place that it lies in: `offerline restore FROM --backup ID`.',
    );
  }
  const answer: Answer = { restored: null, state: null, resumed: null };
  try {
    if (from !== undefined) answer.restored = await restoreFrom(from, options, command, io);
    else await assertRestored(command, io);
    if (choice === null || from !== undefined) answer.state = await show(options, command, io);
    if (choice !== null) answer.resumed = await resume(choice, from, options, command, io);
  } finally {
    io.endSoon();
  }
  if (options.json === true) io.json(answer);
  const broken = answer.restored?.broken.length ?? 0;
  const unasked = answer.state?.logins.some(({ error }) => error !== null) === true;
  io.exit(broken > 0 || unasked ? 1 : 0);
}

/** Without a place something must have been restored; to open a ledger that is not there would make one, which would be in the way of a restore. */
async function assertRestored(command: Command, io: Io): Promise<void> {
  const path = configurationPath(command, io);
  if (!existsSync(path) && !existsSync(restoreMark(path))) throw nothingRestored(path);
  const { databaseUrl, home } = await loadFor(command, io, 'restored');
  const ledger = join(home, 'ledger.sqlite');
  if (databaseUrl === undefined && !existsSync(ledger)) throw nothingRestored(ledger);
}

function nothingRestored(path: string): OfferlineError {
  return new OfferlineError(
    'usage',
    `Nothing has been restored here yet: there is no ${path}. Name the place of the backups: \`offerline restore PLACE\`. It brings the configuration and the ledger.`,
  );
}

/** Shows what was restored and what is to be chosen; asks nobody with a credential that is not there. */
async function show(options: Options, command: Command, io: Io): Promise<RestoredState & Gaps> {
  return inSession(
    command,
    io,
    async ({ ctx, loaded }) => {
      const [{ undecidedRestore }, { restoredState }, { listPauses }] = await Promise.all([
        import('../../jobs/restored/choose.ts'),
        import('../../jobs/restored/restored-state.ts'),
        import('../../ledger/runs/pauses.ts'),
      ]);
      const note = await undecidedRestore(ctx);
      const gaps = gapsIn(loaded, note.config ?? null);
      const state = await restoredState(note, notAskedIn(loaded), ctx, io.stopSignal());
      const given = givenWords(command.optsWithGlobals());
      if (options.json !== true) {
        const pauses = await listPauses(ctx.ledger.db);
        const paused = pauses.filter(({ kind }) => kind === 'feed').map(({ name }) => name);
        for (const line of restoredLines(state, gaps, { given, file: loaded.file, paused })) io.out(line);
      }
      return { ...state, ...gaps };
    },
    'restored',
  );
}

async function resume(
  choice: RestoreChoice,
  from: string | undefined,
  options: Options,
  command: Command,
  io: Io,
): Promise<Resumed[]> {
  return inSession(
    command,
    io,
    async ({ ctx, loaded }) => {
      const [{ undecidedRestore, chooseAfterRestore }, { noteSharedArchive, takeArchive }] = await Promise.all([
        import('../../jobs/restored/choose.ts'),
        import('../../app/backup/restore-installation.ts'),
      ]);
      const note = await undecidedRestore(ctx);
      await noteSharedArchive(loaded, ctx.ledger);
      const named = from ?? (isAbsolute(note.place) ? note.place : null);
      const backedUpTo = Object.keys((await readNote(ctx.ledger.db, 'backups')) ?? {}).filter((place) =>
        isAbsolute(place),
      );
      const places = new Set([...(named === null ? [] : [named]), ...backedUpTo]);
      const seen = (await Promise.all([...places].map((place) => termsIn(place, io)))).flat();
      const signal = io.stopSignal();
      const resumed = await chooseAfterRestore(choice, decisionOf(options.reason ?? ''), ctx, { signal, seen });
      // Whoever opens the two next does it where this fails.
      await takeArchive(loaded, ctx.ledger).catch((error: unknown) =>
        io.note(
          `The original does not yet find its archive taken; the next command here sees to it. ${messageOf(error)}`,
        ),
      );
      if (named !== null) await handOverPlace(named, ctx.ledger, io);
      if (options.json !== true) {
        for (const line of resumedLines(resumed, choice, givenWords(command.optsWithGlobals()))) io.out(line);
      }
      return resumed;
    },
    'writes',
  );
}

function choiceOf(text: string | undefined): RestoreChoice | null {
  if (text === undefined) return null;
  if (text === 'live' || text === 'backup') return text;
  throw new OfferlineError(
    'usage',
    `--resume is "${text}"; write live (what is live stays) or backup (what the backup knows is sent again).`,
  );
}
