import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { OpenContext } from '../app/open-context.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { FeedConfig } from '../config/schema/schema.ts';
import { OfferlineError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Io } from './io.ts';

/** What a command that works on an installation starts with. */
export type Session = OpenContext & { loaded: LoadedConfig };

/**
 * `reads`: the command only asks the ledger and the archive; it needs no credentials, no right to write, and makes no home.
 * `decides`: it records work or decisions, which an installation refuses that was restored before somebody has chosen what to go on with, and one whose place
 * another has taken. `restores`: it makes the installation of a backup, `restored`: it shows one; neither needs credentials, and the files that brands and rules
 * name may still be missing. `serves`: it stays, and its log is what people see of it.
 */
type Access = 'reads' | 'writes' | 'decides' | 'restores' | 'restored' | 'serves';

type Named = { config?: string; home?: string; name?: string; serves?: string };

/** Loads the configuration that the command's options and the environment name. `learned`: a text in place of what its file of learned settings says. */
export async function loadFor(
  command: Command,
  io: Io,
  access: Access = 'writes',
  learned?: string,
): Promise<LoadedConfig> {
  const { config: file, home, name, serves } = command.optsWithGlobals<Named>();
  const worker = access === 'serves' ? { name, serves } : undefined;
  const [{ loadConfig }, { LISTS }] = await Promise.all([import('../config/load.ts'), import('../app/lists/lists.ts')]);
  const isBegun = access === 'restores' || access === 'restored';
  const credentials = access === 'reads' || isBegun ? 'unused' : 'used';
  const lists = isBegun ? {} : { lists: LISTS };
  return loadConfig({
    file,
    home,
    worker,
    env: io.env,
    credentials,
    ...lists,
    restores: access === 'restores',
    learned,
  });
}

/** Opens the installation, runs the command's work on it and closes it again, however the work ends. It is the last thing that a process does. */
export async function withSession<T>(
  command: Command,
  io: Io,
  work: (session: Session) => Promise<T>,
  access: Access = 'writes',
): Promise<T> {
  try {
    return await inSession(command, io, work, access);
  } finally {
    io.endSoon();
  }
}

/** The same for a command that looks again and again. */
export async function inSession<T>(
  command: Command,
  io: Io,
  work: (session: Session) => Promise<T>,
  access: Access,
): Promise<T> {
  const loaded = await loadFor(command, io, access);
  const log = await logFor(loaded, io, access);
  const opened = await open(loaded, log, access);
  try {
    if (access === 'decides') await assertMayDecide(opened.ctx);
    return await work({ ...opened, loaded });
  } finally {
    await opened.close();
  }
}

/** Refuses decisions on an installation about which nobody has chosen after a restore, and on one whose place another has taken. */
export async function assertMayDecide(ctx: OpenContext['ctx']): Promise<void> {
  const { assertMayWork } = await import('../ledger/maintenance/restored.ts');
  await assertMayWork(ctx.ledger);
  const replaced = await ctx.replaced({ remote: true });
  if (replaced !== null) throw replaced;
}

/** A command's log. At a terminal those that do not stay say themselves how far they are: their log is for what is wrong. */
export async function logFor(loaded: LoadedConfig, io: Io, access: Access = 'writes'): Promise<Log> {
  const { createLog } = await import('../log.ts');
  const level = io.log.pretty && access !== 'serves' && !loaded.env['LOG_LEVEL'] ? 'warn' : loaded.logLevel;
  return createLog({ level, ...io.log });
}

async function open(loaded: LoadedConfig, log: Log, access: Access): Promise<OpenContext> {
  if (access === 'reads') return (await import('../app/open-for-reading.ts')).openForReading(loaded, log);
  return (await import('../app/open-context.ts')).openContext(loaded, log);
}

/** As `withSession`, for a command that only asks the ledger and the archive: a home that may not be written will do. */
export function withReader<T>(command: Command, io: Io, work: (session: Session) => Promise<T>): Promise<T> {
  return withSession(command, io, work, 'reads');
}

/** As `withSession`, for a command that records work or a decision. */
export function toDecide<T>(command: Command, io: Io, work: (session: Session) => Promise<T>): Promise<T> {
  return withSession(command, io, work, 'decides');
}

/** As `withSession`, for a command that is given a run: its id, part of it, or `latest`. */
export function withRun<T>(command: Command, io: Io, name: string, work: OnRun<T>): Promise<T> {
  return withSession(command, io, onRun(name, work));
}

/** As `withRun`, for a command that decides about the run. */
export function decideRun<T>(command: Command, io: Io, name: string, work: OnRun<T>): Promise<T> {
  return toDecide(command, io, onRun(name, work));
}

/** As `withReader`, for a command that is given a run. */
export function readRun<T>(command: Command, io: Io, name: string, work: OnRun<T>): Promise<T> {
  return withReader(command, io, onRun(name, work));
}

type OnRun<T> = (run: string, session: Session) => Promise<T>;

function onRun<T>(name: string, work: OnRun<T>): (session: Session) => Promise<T> {
  return async (session) => {
    const { idOfRun } = await import('../ledger/runs/named-run.ts');
    return work(await idOfRun(session.ctx.ledger.db, name), session);
  };
}

/** What is said of a command's argument for a run. */
export const RUN = 'a run: its id, the beginning or end of it, latest, or latest:FEED; see `offerline runs`';

/** A feed of the configuration; one that is not there is refused. */
export async function feedOf(feed: string, { config, file }: LoadedConfig): Promise<FeedConfig> {
  const settings = Object.hasOwn(config.feeds, feed) ? config.feeds[feed] : undefined;
  if (settings !== undefined) return settings;
  const { advise } = await import('../config/read/nearest.ts');
  throw new OfferlineError(
    'usage',
    `There is no feed "${feed}" in ${file}; ${advise(feed, Object.keys(config.feeds))}`,
  );
}

/** Opens the installation for `work` where there is one; null where there is none, and none is made. */
export async function ifInstalled<T>(
  loaded: LoadedConfig,
  io: Io,
  work: (ctx: Session['ctx']) => Promise<T>,
): Promise<T | null> {
  if (loaded.databaseUrl === undefined && !existsSync(join(loaded.home, 'ledger.sqlite'))) return null;
  const log = await logFor(loaded, io);
  const { openContext } = await import('../app/open-context.ts');
  const { ctx, close } = await openContext(loaded, log);
  try {
    return await work(ctx);
  } finally {
    await close();
  }
}
