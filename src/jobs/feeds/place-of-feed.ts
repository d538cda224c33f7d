import type { FeedConfig } from '../../config/schema/schema.ts';
import type { FolderSource, SourceConfig } from '../../config/schema/source-schema.ts';
import { BESIDE } from '../../config/schema/sources/folders.ts';
import { isIndex } from '../../config/schema/sources/web.ts';
import type { Context } from '../../context.ts';
import { knownResults, resultPaths } from '../../ledger/results.ts';
import { filesOfRun, lastTaken, type PlaceOfFeed, supersededFiles, takenFiles } from '../../ledger/runs/taken-files.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { Listed } from '../../pull/choose/choose.ts';
import { fileNames } from '../../pull/choose/delivery-kind.ts';
import { identityOf, type Past } from '../../pull/choose/past.ts';
import { folded, isResultName } from '../../pull/result/name.ts';
import { severalOf } from '../../pull/several/wanted.ts';
import { originOf } from '../../pull/source.ts';
import { changesPast } from './changes-taken.ts';

/** The place of a feed as the ledger tells it from others. */
export function placeOfFeed(feed: string, source: SourceConfig): PlaceOfFeed {
  return { feed, origin: originOf(source) };
}

/** True for a source whose files are chosen among, and may be moved or deleted once they are taken. */
export function isFolder(source: SourceConfig): source is FolderSource {
  return source.type !== 'http' || isIndex(source);
}

/** True for a source whose deliveries may have several files. */
export function takesSeveral(source: SourceConfig): boolean {
  return isFolder(source) && severalOf(source) !== null;
}

/** What is known of a feed's place before anything was taken; nothing where that makes no difference. */
export function withoutPast({ delivery, source }: FeedConfig): Past | undefined {
  if (delivery === 'full') return undefined;
  const never = () => false;
  const names = fileNames(delivery, source.pattern ?? '*', Date.now());
  const changes = { names, last: null, numberBefore: null, stopped: [], isTaken: never, isLast: never };
  return { last: null, isSuperseded: never, changes };
}

/** What is known of the results in the place of a source: by the names that its feeds give them, and by what was found and put there. */
async function resultsAt(source: SourceConfig, { ledger, config }: Knowing): Promise<Required<Past>['isResult']> {
  const origin = originOf(source);
  const beside = Object.values(config.feeds).flatMap((feed) =>
    originOf(feed.source) === origin && feed.source.result?.to === BESIDE ? feed.source.result : [],
  );
  const put = new Set((await resultPaths(ledger.db, origin)).map(folded));
  const found = await knownResults(ledger.db, origin);
  return (file) =>
    put.has(folded(file.name)) || found.has(identityOf(file)) || beside.some((named) => isResultName(named, file.name));
}

type Knowing = Pick<Context, 'ledger' | 'config' | 'clock'>;

/** A place of which nothing was taken yet, but for the results that are known to be there. */
export async function untakenPlace(source: SourceConfig, ctx: Knowing): Promise<Past> {
  return { last: null, isSuperseded: () => false, isResult: await resultsAt(source, ctx) };
}

/** What the ledger knows of a feed's place from earlier pulls. `run`: the one that pulls now. */
export async function pastOf(
  feed: string,
  source: SourceConfig,
  ctx: Knowing,
  run?: Pick<RunRow, 'id' | 'options'>,
): Promise<Past> {
  const { ledger } = ctx;
  const place = placeOfFeed(feed, source);
  const last = await lastTaken(ledger.db, place);
  const changes = await changesPast(feed, ctx, run);
  const superseded = await supersededFiles(ledger.db, place, changes?.undone);
  const past = {
    last: last?.listed ?? null,
    isSuperseded: (file: Listed) => superseded.has(identityOf(file)),
    isResult: await resultsAt(source, ctx),
    ...(changes === null ? {} : { changes }),
  };
  if (!isFolder(source)) return past;
  const taken = new Map((await takenFiles(ledger.db, place)).map(({ identity, run }) => [identity, run]));
  const isTaken = (file: Listed) => taken.has(identityOf(file));
  if (!takesSeveral(source)) return { ...past, isTaken };
  const isOfLast = (file: Listed) => last !== undefined && taken.get(identityOf(file)) === last.run;
  const lastCount = [...taken.values()].filter((run) => run === last?.run).length;
  const lastFiles = last === undefined ? [] : await filesOfRun(ledger.db, last.run);
  return { ...past, isTaken, isOfLast, lastCount, lastFiles };
}
