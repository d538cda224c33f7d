import type { Context } from '../../context.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { LocalCounts, RowRule, RuleAccount, RuleExample, RuleRows } from '../../model.ts';
import type { RunEnd } from '../../wording/managers/run-words.ts';
import { diffInThread, rowsOfRun } from '../guards/held-diff.ts';
import type { PastDelivery } from './past-deliveries.ts';
import { readPast, type PastLimits, type ReadAgain } from './read-past.ts';

/** What a rule does to a delivery, beside what it did when the delivery was read. */
export type TriedRule = {
  rule: string;
  does: RowRule['does'];
  /** The rows on which it acts; null: there is no such rule any more. */
  rows: number | null;
  /** Those on which it acted; null: there was no such rule, or the delivery was not read to its end. */
  before: number | null;
  /** Of the rows those that had no room for all tags that it adds. */
  full: number;
  examples: RuleExample[];
};

/** A delivery that was read again with the rules as they would be. */
export type TriedDelivery = {
  run: string;
  /** When it came, ISO. */
  at: string;
  name: string | null;
  /** `held` and `rejected`: what would become of it. `gone`: its file is no longer in the archive. */
  state: 'read' | 'held' | 'rejected' | 'gone';
  why: string | null;
  /** How its run would end; null where it is read, or gone. */
  ended: RunEnd | null;
  /** Of changes that were read: the run of the rows that they were put upon, which stay as they were read. */
  upon: string | null;
  /** Null where it was not read to its end, then or now. */
  rows: { before: LocalCounts | null; after: LocalCounts | null };
  /** How the accepted rows differ; null where one of the two is not known. */
  change: { added: number; removed: number; changed: number } | null;
  rules: TriedRule[];
};

/** So many rows are shown on which a rule acts. */
const EXAMPLES = 5;

/** Reads a delivery again with the rules of the configuration, and says what each does and did. Nothing is recorded. */
export async function tryDelivery(
  { run: id, at }: PastDelivery,
  ctx: Context,
  limits: Pick<PastLimits, 'signal' | 'meter'>,
): Promise<TriedDelivery> {
  const run = await getRun(ctx.ledger.db, id);
  const before = countsIn(run);
  const past = await readPast(run, ctx, { ...limits, ruleExamples: EXAMPLES }, async (read) => ({
    after: read.validation.counts,
    upon: read.upon,
    change: await changeIn(read, run, ctx, limits.signal),
    rules: triedRules(read.validation, run.counts?.rules ?? null),
  }));
  const about = { run: id, at: new Date(at).toISOString(), name: run.delivery_name };
  if (past.state !== 'read') {
    return { ...about, ...past, upon: null, rows: { before, after: null }, change: null, rules: [] };
  }
  const { after, ...made } = past.made;
  return { ...about, state: 'read', why: null, ended: null, rows: { before, after }, ...made };
}

function countsIn({ counts }: RunRow): LocalCounts | null {
  if (counts === null) return null;
  const { skippedRows: _skipped, rules: _rules, files: _files, ...rows } = counts;
  return rows;
}

/** The rules in their order, and behind them those that acted then and are no more. */
function triedRules(
  { rules, ruleExamples }: Pick<ReadAgain['validation'], 'rules' | 'ruleExamples'>,
  then: RuleAccount | null,
): TriedRule[] {
  const now = rules?.rules ?? [];
  const known = new Map((then?.rules ?? []).map((one) => [one.rule, one]));
  const gone = [...known.values()].filter(({ rule }) => !now.some((one) => one.rule === rule));
  return [
    ...now.map(({ rule, does, rows, full }: RuleRows, at) => {
      const before = known.get(rule)?.rows ?? null;
      return { rule, does, rows, before, full, examples: ruleExamples?.[at] ?? [] };
    }),
    ...gone.map(({ rule, does, rows }) => ({ rule, does, rows: null, before: rows, full: 0, examples: [] })),
  ];
}

async function changeIn(
  { rowsPath, detection }: ReadAgain,
  run: RunRow,
  ctx: Context,
  signal: AbortSignal,
): Promise<TriedDelivery['change']> {
  const older = await rowsOfRun(run, ctx);
  if (older === null) return null;
  const columns = Object.keys(ctx.config.offer.columns);
  const newer = { path: rowsPath, columns, kind: 'rows', tables: { '': detection.parts } } as const;
  const { added, removed, changed } = await diffInThread(older, newer, ctx, signal);
  return { added, removed, changed };
}
