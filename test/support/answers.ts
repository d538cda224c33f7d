import { emptyAccount } from '../../src/wording/account.ts';
import { usualCause } from '../../src/wording/causes.ts';
import type { UndatedDecision } from '../../src/ledger/runs/runs.ts';
import type { LiveNow, Outcome, RowCounts, RunAnswer } from '../../src/model.ts';

/** Row counts with the ones that matter to a test. */
export function rowCounts(counts: Partial<RowCounts>): RowCounts {
  return { ...emptyAccount(), ...counts };
}

/** An outcome with what it usually comes from. */
export function decided<O extends Outcome>(outcome: O) {
  return { outcome, cause: usualCause(outcome) } as Extract<UndatedDecision, { outcome: O }>;
}

const NOTHING_LIVE: LiveNow = { live: 0, rejectedRemotely: 0, since: null, upload: null, doubt: null, proved: null };

/** The answer of a run that was pulled and not yet decided, with what matters to a test changed. */
export function runAnswer(changes: Partial<Omit<RunAnswer, 'rows'>> & { rows?: Partial<RowCounts> } = {}): RunAnswer {
  return {
    run: '20260504-060000-k7m2',
    feed: 'north',
    login: 'main',
    sandbox: false,
    outcome: null,
    cause: usualCause(changes.outcome ?? null),
    reason: null,
    stage: 'done',
    createdAt: Date.UTC(2026, 4, 4, 6, 0, 0),
    finishedAt: Date.UTC(2026, 4, 4, 6, 0, 42),
    leftOut: [],
    delivery: { name: 'north-2026-05-04.zip', sha256: '5f3c'.repeat(16), bytes: 48_213 },
    dialect: {
      format: 'text',
      sheet: null,
      charset: 'windows-1251',
      bom: false,
      delimiter: ';',
      quote: '"',
      newline: '\r\n',
      header: true,
    },
    readings: [],
    mapping: [],
    now: { ...NOTHING_LIVE, live: changes.rows?.live ?? 0, upload: changes.upload?.offerId ?? null },
    found: null,
    dataset: null,
    upload: null,
    receipt: null,
    diff: null,
    partsGone: null,
    skipped: [],
    issues: {},
    signals: null,
    rejections: [],
    rejectionsTotal: 0,
    pruned: null,
    unreadable: [],
    reports: null,
    ...changes,
    rows: rowCounts(changes.rows ?? {}),
  };
}
