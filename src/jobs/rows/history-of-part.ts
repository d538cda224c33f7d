import { damageOf } from '../../archive/kept-file.ts';
import type { Context } from '../../context.ts';
import { dictionary } from '../../io/dictionary.ts';
import { accountsIn } from '../../ledger/schema/schema.ts';
import { verifiedUploads, type AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { spellingsOf, stripIn } from '../../config/schema/feed-settings.ts';
import { partKey } from '../../parts/part-key.ts';
import { partKeys } from '../../parts/spellings.ts';
import type { TracedRejection } from '../../upload/errors/write-rejections.ts';
import { indexFile } from '../guards/held-diff.ts';
import { storedLines } from '../archive/stored-lines.ts';
import { refusalOf } from './stored.ts';
import type { RowPlace, RowReason } from './run-rows.ts';
import { fileOfRun, rowsOfParts, fileNamed } from './winners.ts';

/** A part in a dataset that was live: whose it was and its cells. `rejected`: why the service did not take the row. */
type PartState = { place: RowPlace & { run: string }; cells: Record<string, string>; rejected: RowReason[] };

/** A moment at which a part came, changed, or went. `at`: when the upload was live, epoch milliseconds. */
export type PartChange = {
  /** `seen`: it is in the oldest dataset that is kept, so it may have been there before. */
  change: 'seen' | 'added' | 'changed' | 'removed';
  upload: string;
  offerId: string | null;
  at: number;
  /** Null of a part that went. */
  state: PartState | null;
  /** What differs from before: columns, `feed`, `rejected`. */
  differs: string[];
};

/** The history of a part at a login, the oldest change first, as far as datasets are kept. */
export type PartHistory = {
  login: string;
  brand: string;
  number: string;
  /** When the oldest dataset that was looked into was live; null when none is kept. */
  since: number | null;
  uploads: number;
  changes: PartChange[];
  /** What could not be looked into: sentences. */
  notes: string[];
};

/**
 * In which proved uploads of a login a part was, whose and with which cells; only changes are given. `feeds`: what is of other feeds
 * counts as not there. Each dataset that is kept is read once, one after the other. Nothing is written.
 */
export async function historyOfPart(
  brand: string,
  number: string,
  { login, feeds = null }: { login: string; feeds?: readonly string[] | null },
  ctx: Context,
): Promise<PartHistory> {
  const keys = keysIn(login, { brand, oem: number }, ctx);
  const uploads = (await verifiedUploads(ctx.ledger.db, login)).reverse();
  const kept = uploads.filter(({ dataset }) => dataset.pruned_at === null);
  const notes = new Set<string>();
  const history: PartHistory = { login, brand, number, since: null, uploads: 0, changes: [], notes: [] };
  let before: PartState | null = null;
  for (const one of kept) {
    const found = await stateIn(one, keys, notes, ctx);
    if (found === 'unknown') continue;
    const state = found !== null && feeds?.includes(found.place.feed) === false ? null : found;
    const { id: upload, offer_id: offerId, closed_at, created_at } = one.upload;
    const at = closed_at ?? created_at;
    history.since ??= at;
    history.uploads += 1;
    const differs = differences(before, state);
    const isFirst = history.uploads === 1 && uploads.length > 1 && one !== uploads[0];
    if (differs.length > 0)
      history.changes.push({ change: changeOf(before, state, isFirst), upload, offerId, at, state, differs });
    before = state;
  }
  const pruned = uploads.length - kept.length;
  if (pruned > 0) notes.add(`${pruned} older datasets of ${login} were pruned (keep.datasets).`);
  return { ...history, notes: [...notes] };
}

/** The keys that rows of a part may have in any feed of a login. */
function keysIn(login: string, part: { brand: string; oem: string }, { config }: Context): Set<string> {
  const feeds = Object.keys(config.feeds).filter((feed) => config.feeds[feed]?.login === login);
  const common = partKeys(part, { table: spellingsOf(config), strip: null });
  const its = feeds.map((feed) => partKeys(part, { table: spellingsOf(config, feed), strip: stripIn(config, feed) }));
  return new Set([common, ...its].flatMap((keys) => Array.from(keys)));
}

function changeOf(before: PartState | null, state: PartState | null, isFirst: boolean): PartChange['change'] {
  if (state === null) return 'removed';
  if (before !== null) return 'changed';
  return isFirst ? 'seen' : 'added';
}

/** The names of what differs; those of a part that came or went are all of its columns. */
function differences(before: PartState | null, after: PartState | null): string[] {
  if (before === null && after === null) return [];
  const columns = [...new Set([...Object.keys(before?.cells ?? {}), ...Object.keys(after?.cells ?? {})])];
  if (before === null || after === null) return columns;
  const isChanged = (column: string) => (before.cells[column] ?? '') !== (after.cells[column] ?? '');
  const messages = ({ rejected }: PartState) => rejected.map(({ code, message }) => `${code} ${message}`).join('\n');
  return [
    ...columns.filter(isChanged),
    ...(before.place.feed === after.place.feed ? [] : ['feed']),
    ...(messages(before) === messages(after) ? [] : ['rejected']),
  ];
}

/** The part in the dataset of an upload; null when it is not in it. */
async function stateIn(
  { upload, intent, dataset }: AcceptedUpload,
  keys: Set<string>,
  notes: Set<string>,
  ctx: Context,
): Promise<PartState | null | 'unknown'> {
  try {
    const file = await indexFile(dataset, ctx);
    const [row] = (await rowsOfParts(file, keys, 1)).values();
    if (row === undefined) return null;
    const { feed, file: its, sheet, line } = row;
    const run = dataset.parts.find((part) => part.feed === feed)?.run ?? '';
    const place = { feed, run, ...fileNamed(its, await fileOfRun(run, ctx)), sheet, line };
    const sha256 = accountsIn(intent)?.get(feed)?.rejections?.sha256 ?? null;
    const rejected = await rejectionsOf(keys, sha256, run, notes, ctx);
    return { place, cells: dictionary(file.columns.map((column, at) => [column, row.cells[at] ?? ''])), rejected };
  } catch (error) {
    if (damageOf(error) === null) throw error;
    notes.add(
      `The dataset of upload ${upload.offer_id ?? upload.id} cannot be looked into. ${(error as Error).message}`,
    );
    return 'unknown';
  }
}

async function rejectionsOf(
  keys: ReadonlySet<string>,
  sha256: string | null,
  run: string,
  notes: Set<string>,
  { archive }: Context,
): Promise<RowReason[]> {
  const found: RowReason[] = [];
  if (sha256 === null) return found;
  const file = { run, what: 'rejections', file: archive.file(sha256) } as const;
  for await (const rejection of storedLines<TracedRejection>(file, notes)) {
    const { match, brand, oem } = rejection;
    if (match === 'exact' && keys.has(partKey(brand ?? '', oem ?? ''))) found.push(refusalOf(rejection));
  }
  return found;
}
