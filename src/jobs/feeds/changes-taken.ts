import type { Context } from '../../context.ts';
import { own } from '../../io/dictionary.ts';
import { cleanName } from '../../io/file-name.ts';
import { runsBeforeMove, runsByTaking, takenAt, type TakenRun } from '../../ledger/runs/deliveries.ts';
import { knownFeed } from '../../ledger/runs/feeds.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { Db } from '../../ledger/ledger.ts';
import { filesOfRuns, type PlaceOfFeed, takenFiles } from '../../ledger/runs/taken-files.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { type ChangesPast, comparePlaces, type Placed, type StoppedFile } from '../../pull/choose/changes.ts';
import { fileNames, type FileNames } from '../../pull/choose/delivery-kind.ts';
import type { Listed } from '../../pull/choose/choose.ts';
import { identityOf } from '../../pull/choose/past.ts';
import { originOf } from '../../pull/source.ts';

/** Runs of a feed that are looked at; with changes each hour a full list is among them that came within three weeks. */
const LOOKED_AT = 500;

/** What is known of a feed whose deliveries are changes: its runs as far as the order of files is concerned. */
export type ChangesTaken = Pick<ChangesPast, 'names' | 'last' | 'numberBefore' | 'stopped'> & {
  /** The run of `last`. */
  lastRun: TakenRun | null;
  /** The runs that took files for this login. */
  ids: ReadonlySet<string>;
  /** The names of these files with their sizes. */
  sizes: ReadonlySet<string>;
  /** Those of the feed before it moved to this login, which has nothing of what they took. */
  beforeMove: ReadonlySet<string>;
  /** The runs since the full list to which these rows go back, in the order in which they took their files. */
  runs: TakenRun[];
};

/**
 * Where a feed stands in the order of its changes: `last` is the file of the rows that the next ones are put upon. `without`: a run that is yet to
 * find its place. Null of a feed that takes full lists only.
 */
export async function changesTaken(
  feed: string,
  login: string,
  ctx: Pick<Context, 'ledger' | 'config' | 'clock'>,
  without?: string,
): Promise<ChangesTaken | null> {
  const settings = own(ctx.config.feeds, feed);
  if (settings === undefined || settings.delivery === 'full') return null;
  const { db } = ctx.ledger;
  const names = fileNames(settings.delivery, settings.source.pattern ?? '*', ctx.clock.now());
  const { head, candidate, contribution } = await knownFeed(db, feed, login);
  const newest = await runOf(head ?? candidate ?? contribution, db);
  const standing = newest !== null && newest.id === without ? await runOf(newest.base, db) : newest;
  const beforeMove = await runsBeforeMove(db, { feed, login });
  const runs = await runsByTaking(db, { feed, login }, LOOKED_AT);
  const taken = runs.filter(({ id }) => id !== without && !beforeMove.has(id));
  const order = orderOf(taken, standing, names);
  const place = { feed, origin: originOf(settings.source) };
  const shown = await shownPlaces([order.last, ...order.stopped], place, db);
  const last = order.last === null ? null : placeOf(order.last, shown);
  const stopped = order.stopped.map((run) => ({
    ...placeOf(run, shown),
    run: run.id,
    state: stateOf(run),
    sha256: run.delivery_sha,
  }));
  const sha256 = order.last?.delivery_sha;
  return {
    names,
    lastRun: order.last,
    last,
    numberBefore: (await numberSuperseded(order.base, { place, names, db })) ?? order.numberBefore,
    stopped: stopped
      .filter(
        (one) =>
          last === null || comparePlaces(one, last, names) > 0 || isOtherVersion(one, { ...last, sha256 }, names),
      )
      .toSorted((a, b) => comparePlaces(a, b, names)),
    ids: new Set(taken.map(({ id }) => id)),
    sizes: new Set(taken.map((run) => sizeKey(run.delivery_name, run.delivery_bytes))),
    beforeMove,
    runs: order.runs,
  };
}

/**
 * Where the rows stand that a run made, among all that took a file. Those after it that ended as `unchanged` brought nothing else; all others
 * are stopped: their changes are not in these rows. Pure.
 */
function orderOf(taken: TakenRun[], standing: TakenRun | null, names: FileNames) {
  const isAfter = (run: TakenRun) => standing === null || takenAt(run) > takenAt(standing);
  const until = taken.filter((run) => !isAfter(run));
  const among = runsAmong(standing, until);
  const oldest = [...among].at(-1);
  const base = until.findLastIndex((run) => run.id === oldest && run.base === null);
  const stopped = until.slice(base + 1).filter((run) => !among.has(run.id) && !broughtNothing(run));
  let last = standing;
  for (const run of taken.filter(isAfter)) {
    if (run.outcome !== 'unchanged') stopped.push(run);
    else if (stopped.length === 0) last = run;
  }
  const numbers = until.slice(0, Math.max(base, 0)).map((run) => names.sequenceOf(run.delivery_name ?? ''));
  const numberBefore = numbers.findLast((number) => number !== null) ?? null;
  return { base: until[base], runs: taken.slice(Math.max(base, 0)), stopped, last, numberBefore };
}

/** The runs, among these, whose rows are among those of a run: itself first, at last the one that was put upon nothing. */
function runsAmong(standing: TakenRun | null, runs: TakenRun[]): Set<string> {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const among = new Set<string>();
  for (let id = standing?.id ?? null; id !== null && byId.has(id); id = byId.get(id)!.base) among.add(id);
  return among;
}

async function runOf(id: string | null, db: Db): Promise<RunRow | null> {
  return id === null ? null : getRun(db, id);
}

/** True for a run that took a file for which others stand: the last one, or itself read again. */
function broughtNothing({ outcome }: TakenRun): boolean {
  return outcome === 'unchanged' || outcome === 'nothing';
}

function stateOf({ outcome, stage }: TakenRun): StoppedFile['state'] {
  if (outcome === null) return stage === 'pull' || stage === 'read' ? 'open' : 'replaced';
  return outcome === 'held' || outcome === 'rejected' || outcome === 'failed' ? outcome : 'replaced';
}

/** True for a run that may still bring its file. */
function isUndecided(run: TakenRun): boolean {
  const state = stateOf(run);
  return state === 'open' || state === 'held';
}

type Version = Placed & { sha256?: string | null | undefined };

/** True for the number of the last file with other bytes, of which somebody has to say whether it is a correction. */
function isOtherVersion(one: Version & Pick<StoppedFile, 'state'>, last: Version, names: FileNames): boolean {
  const isOpen = one.state === 'held' || one.state === 'open';
  const isLater = one.takenAt! > last.takenAt! && one.sha256 !== last.sha256;
  return isOpen && isLater && comparePlaces(one, last, names) === 0;
}

type Shown = Map<string, number>;

/** When files were changed by the clocks of places that show no better time, by their runs. */
async function shownPlaces(runs: (TakenRun | null)[], place: PlaceOfFeed, db: Db): Promise<Shown> {
  const untimed = runs.flatMap((run) => (run === null || run.modified_at !== null ? [] : [run.id]));
  const files = await filesOfRuns(db, { ...place, state: 'taken' }, untimed);
  return new Map(files.flatMap(({ run, listed: { shownAt } }) => (shownAt === undefined ? [] : [[run, shownAt]])));
}

/** The number of the last changes that a full list has made needless; null where none has one. */
async function numberSuperseded(
  base: TakenRun | undefined,
  { place, names, db }: { place: PlaceOfFeed; names: FileNames; db: Db },
): Promise<number | null> {
  if (base === undefined) return null;
  const files = await filesOfRuns(db, { ...place, state: 'superseded' }, [base.options.of ?? base.id]);
  const changes = files.map(({ listed }) => listed).filter(({ name }) => names.sequenceOf(name) !== null);
  const newest = changes.toSorted((a, b) => comparePlaces(a, b, names)).at(-1);
  return newest === undefined ? null : names.sequenceOf(newest.name);
}

function placeOf(run: TakenRun, shown: Shown): Placed {
  const shownAt = shown.get(run.id);
  const place = { name: run.delivery_name ?? '', mtimeMs: run.modified_at, takenAt: takenAt(run) };
  return shownAt === undefined ? place : { ...place, shownAt };
}

/**
 * What a pull is told of changes that were taken before; null of a feed that takes full lists only. `run`: the one that pulls. `undone`: runs whose
 * files are no part of the rows and wait for nothing, so that what they superseded does not count as superseded.
 */
export async function changesPast(
  feed: string,
  ctx: Pick<Context, 'ledger' | 'config' | 'clock'>,
  run?: Pick<RunRow, 'id' | 'options'>,
): Promise<(ChangesPast & { undone: string[] }) | null> {
  const settings = own(ctx.config.feeds, feed);
  const taken = settings === undefined ? null : await changesTaken(feed, settings.login, ctx, run?.id);
  if (settings === undefined || taken === null) return null;
  const { names, last, numberBefore, stopped, lastRun, ids, beforeMove } = taken;
  const undecided = new Set(taken.runs.filter(isUndecided).flatMap(({ id, options }) => [id, options.of]));
  const undone = stopped.map((one) => one.run).filter((id) => !undecided.has(id));
  // What failed for no fault of the file is taken again, and so is the file of a run that is to be done again.
  const failed = stopped.flatMap((one) => (one.state === 'failed' ? [one.run] : []));
  const again = new Set([...failed, run?.id, run?.options.of]);
  const files = await takenFiles(ctx.ledger.db, { feed, origin: originOf(settings.source) });
  const byIdentity = new Map(files.map((file) => [file.identity, file.run]));
  // A copy of the ledger has no files of places, and a place may have another address than before.
  const byFacts = new Map(
    taken.runs.map((one) => [factsOf(one.delivery_name, one.delivery_bytes, one.modified_at), one.id]),
  );
  const takenBy = (file: Listed) =>
    byIdentity.get(identityOf(file)) ?? byFacts.get(factsOf(cleanName(file.name), file.size, file.mtimeMs) ?? '');
  return {
    names,
    last,
    numberBefore,
    stopped,
    undone,
    isTaken: (file) => {
      const by = takenBy(file);
      if (by === undefined || again.has(by) || beforeMove.has(by)) return false;
      return lastRun !== null || ids.has(by);
    },
    isCopy: (file) => taken.sizes.has(sizeKey(cleanName(file.name), file.size)),
    isLast: (file) => {
      const by = takenBy(file);
      return by !== undefined && (by === lastRun?.id || by === lastRun?.options.of);
    },
  };
}

function sizeKey(name: string | null, size: number | null): string {
  return JSON.stringify([name, size]);
}

/** What tells a file from others where its place does not matter; null where its time is not known. */
function factsOf(name: string | null, size: number | null, mtimeMs: number | null): string | null {
  return mtimeMs === null ? null : JSON.stringify([name, size, Math.floor(mtimeMs)]);
}
