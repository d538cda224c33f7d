import { damageOf } from '../../archive/kept-file.ts';
import { spellingsOf, stripIn } from '../../config/schema/feed-settings.ts';
import type { Context } from '../../context.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { RowCounts } from '../../model.ts';
import { counted, moment } from '../../wording/words.ts';
import { rowsOf } from '../queries/answer.ts';
import { describeRows } from './describe-rows.ts';
import { findAccepted, findLocal, findRead, findUntraced, type Search } from './find-rows.ts';
import { pageOf } from './paging.ts';
import type { FoundRows, RowGroup, RowVerdict, RunRows } from './run-rows.ts';
import { matcherOf } from './search.ts';
import { findSkipped } from './skipped-rows.ts';
import { verdictsOf, type Verdicts } from './verdicts.ts';

/**
 * What is asked of a run's rows: a number of its account, a part of brand, number or name, the page from 1 and its rows (at most 500).
 * `supplierLines` false leaves out the supplier's own lines, for which the delivery has to be read: of a large workbook that takes long,
 * and `supplierLinesOf` gives them for single lines.
 */
export type AskedRows = { group: RowGroup; search?: string; page?: number; size?: number; supplierLines?: boolean };

/**
 * The rows behind a number of a run's account, as it was when the run's upload was settled. What is lost or damaged is said in `notes`
 * and never throws; nothing is mended and nothing written, so that it can be asked where nothing may be. Memory grows by a bit for each
 * line of the file. Fails with `not-found` for a run that is not there.
 */
export async function rowsOfRun(id: string, asked: AskedRows, ctx: Context): Promise<RunRows> {
  const run = await getRun(ctx.ledger.db, id);
  const account = rowsOf(run);
  const { group } = asked;
  const total = account[group];
  const notes = new Set<string>();
  for (const sentence of prunedNotes(run)) notes.add(sentence);
  const matches = matcherOf(asked.search ?? '', {
    table: spellingsOf(ctx.config, run.feed),
    strip: stripIn(ctx.config, run.feed),
  });
  const page = pageOf(asked);
  const verdicts = total === 0 || LOCAL.has(group) ? NOT_JUDGED : await verdictsOf(run, account, notes, ctx);
  // Of a cell with several numbers each is listed.
  const listed = group === 'read' ? total + account.expanded : total;
  const expected = matches === null && notes.size === 0 && !verdicts.isSplit ? listed : null;
  const search = { run, matches, page, expected, notes };
  const found = total === 0 ? NOTHING : await findGroup(group, search, { verdicts, account }, ctx);
  const withLines = asked.supplierLines !== false;
  const described = await describeRows(run, found.rows, { verdicts, notes, withLines }, ctx);
  if (matches === null && found.matches !== listed) addDifference(group, found.matches, account, { verdicts, notes });
  return {
    run: run.id,
    feed: run.feed,
    group,
    total,
    matches: found.matches,
    ...page,
    ...described,
    notes: [...notes],
  };
}

/** Rows that were never accepted: what became of those that were does not matter. */
const LOCAL = new Set<RowGroup>(['rejectedLocally', 'duplicates', 'leftOut', 'skipped']);
const NOT_JUDGED: Verdicts = { of: () => 'accepted', dataset: null, isSplit: false };

const NOTHING: FoundRows = { rows: [], matches: 0 };

type Judged = { verdicts: Verdicts; account: RowCounts };

async function findGroup(group: RowGroup, search: Search, judged: Judged, ctx: Context): Promise<FoundRows> {
  const { of: verdictOf, isSplit } = judged.verdicts;
  try {
    if (group === 'rejectedLocally') return await findLocal(search, 'rejectedLocally', ctx);
    if (group === 'duplicates') return await findLocal(search, 'duplicate', ctx);
    if (group === 'leftOut') return await findLocal(search, 'leftOut', ctx);
    if (group === 'skipped') return await findSkipped(search, ctx);
    if (group === 'read') return await findRead(search, verdictOf, ctx);
    if (group === 'unexplained' && isSplit) return await findUntraced(search, ctx);
    return await findAccepted(search, verdictOf, isIn(group), ctx);
  } catch (error) {
    if (damageOf(error) === null) throw error;
    search.notes.add((error as Error).message);
    return NOTHING;
  }
}

/** Which verdicts the rows of a group of accepted rows have. */
function isIn(group: RowGroup): (verdict: RowVerdict) => boolean {
  if (group === 'accepted') return () => true;
  if (group === 'contributed') return (verdict) => verdict !== 'outranked' && verdict !== 'accepted';
  if (group === 'live') return (verdict) => verdict === 'live' || verdict === 'contributed';
  return (verdict) => verdict === group;
}

function prunedNotes({ id, bytes_pruned_at: bytes, reports_pruned_at: reports }: RunRow): string[] {
  return [
    ...(bytes === null
      ? []
      : [`The delivery and the accepted rows of run ${id} were pruned on ${moment(bytes)} (keep.deliveries).`]),
    ...(reports === null
      ? []
      : [`The issues and rejections of run ${id} were pruned on ${moment(reports)} (keep.reports).`]),
  ];
}

/** Why fewer or more rows are listed than the account counts, where nothing else has said it. */
function addDifference(
  group: RowGroup,
  matches: number,
  account: RowCounts,
  { verdicts, notes }: { verdicts: Verdicts; notes: Set<string> },
): void {
  if (verdicts.isSplit && group === 'live') {
    notes.add(
      `${counted(account.unexplained, 'row')} of these may not be live: what the service says of the upload does not tell which.`,
    );
  } else if (notes.size === 0) {
    notes.add(`The account counts ${counted(account[group], 'row')}; ${matches} of them are known one by one.`);
  }
}
