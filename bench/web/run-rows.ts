import type { RunRow } from '../../src/ledger/schema/schema.ts';
import type { Cause, Detection, LocalCounts, Outcome, RowCounts, Signals } from '../../src/model.ts';
import { storeReason } from '../../src/wording/reasons/reason.ts';
import { runSentence, type RunReason } from '../../src/wording/reasons/run-reasons.ts';
import type { Draw } from './draw.ts';

/** Files of the archive that made rows name. */
export type KeptFiles = { rows: string; index: string };

/** How often runs end in each way, and why. */
const ENDS: [[Outcome, Cause], number][] = [
  [['unchanged', 'same-file'], 0.33],
  [['live', 'uploaded'], 0.32],
  [['partial', 'uploaded'], 0.19],
  [['nothing', 'no-file'], 0.04],
  [['nothing', 'superseded'], 0.01],
  [['failed', 'source-unreachable'], 0.02],
  [['failed', 'source-credentials'], 0.005],
  [['failed', 'disk-full'], 0.005],
  [['held', 'guard'], 0.015],
  [['held', 'older-file'], 0.005],
  [['held', 'correction'], 0.005],
  [['held', 'unsure'], 0.005],
  [['held', 'frozen'], 0.003],
  [['rejected', 'file-unusable'], 0.01],
  [['rejected', 'turned-down'], 0.005],
];

const DETECTION: Detection = {
  format: 'text',
  parts: [],
  charset: 'windows-1251',
  bom: false,
  delimiter: ';',
  quote: '"',
  newline: '\r\n',
  header: true,
  sure: true,
  confidence: 0.98,
  escape: null,
  columns: ['Производитель', 'Артикул', 'Наименование', 'Цена', 'Остаток'],
  headerLine: 1,
  width: 5,
  headerSure: true,
  spacedQuotes: false,
  wholeLines: false,
  passedOver: [],
  wraps: { backslashes: false, columns: [] },
  mapping: [
    { key: 'brand', column: 'Производитель', position: 1, sure: true, evidence: 'the header names it' },
    { key: 'oem', column: 'Артикул', position: 2, sure: true, evidence: 'the header names it' },
  ],
  looks: [],
  habits: null,
  evidence: ['every line has 5 cells with ";"', 'the first line names the columns', 'it reads well as windows-1251'],
  readings: [],
};

/** A run of a feed that began at a moment; an open one has no outcome yet. */
export type MadeRun = { feed: string; login: string; at: number; open: boolean };

/** Draws a run with all that its outcome brings. `typical`: how many rows the feed's files have. */
export function drawRun(made: MadeRun, typical: number, files: KeptFiles, draw: Draw): RunRow {
  const { feed, login, at, open } = made;
  const [outcome, cause] = open ? ([null, null] as const) : draw.weighted(ENDS);
  const id = draw.id(at);
  const isLive = outcome === 'live' || outcome === 'partial';
  const wasRead = isLive || outcome === 'held' || outcome === 'unchanged' || cause === 'turned-down';
  const counts = countsOf(typical, outcome, draw);
  const name = `${feed}_${new Date(at).toISOString().slice(0, 10)}.${draw.pick(['csv', 'xlsx', 'zip', 'csv.gz'])}`;
  const reason = reasonFor({ id, feed, outcome, cause, counts, name, at, login }, draw);
  const hasFile = wasRead || outcome === 'rejected';
  return {
    id,
    feed,
    login,
    cause: draw.chance(0.95) ? 'schedule' : 'manual',
    options: cause === null ? {} : { cause },
    stage: open ? draw.pick(['pull', 'read'] as const) : 'done',
    outcome,
    amended: null,
    reason: reason === null ? null : runSentence(reason),
    ...storeReason(reason),
    created_at: at,
    traceparent: null,
    taken_at: null,
    finished_at: open ? null : at + 20_000 + draw.below(900_000),
    tries: 0,
    delivery_sha: hasFile ? draw.hex(64) : null,
    delivery_name: hasFile ? name : null,
    delivery_bytes: hasFile ? counts.read * 70 : null,
    checkpoint: hasFile
      ? { origin: draw.hex(20), name, size: counts.read * 70, sha256: draw.hex(64), mtimeMs: at - 3000 }
      : null,
    settings_hash: hasFile ? draw.hex(64) : null,
    detection: wasRead ? DETECTION : null,
    entry: wasRead ? name : null,
    counts: wasRead ? counts : null,
    issues: wasRead ? issuesOf(counts) : null,
    issues_sha: null,
    rows_sha: wasRead ? files.rows : null,
    base: null,
    columns: wasRead ? ['brand', 'oem', 'name', 'tags'] : null,
    cell_names: wasRead ? ['brand', 'oem', 'name'] : null,
    intent: null,
    outranked: 0,
    account: isLive ? accountOf(counts, outcome, draw) : null,
    rejections_sha: null,
    rejections_total: 0,
    diff: null,
    signals: wasRead ? signalsOf(counts, draw) : null,
    sample_sha: null,
    modified_at: hasFile ? at - 3000 : null,
    reports: open ? null : { html: `${id}/report.html`, csv: `${id}/report.csv`, json: `${id}/report.json` },
    bytes_pruned_at: null,
    reports_pruned_at: null,
    sandbox: 0,
  };
}

function countsOf(typical: number, outcome: Outcome | null, draw: Draw): LocalCounts {
  const read = Math.max(5, Math.round(typical * (0.9 + draw.number() * 0.2) * (outcome === 'held' ? 0.3 : 1)));
  const rejectedLocally = outcome === 'live' ? 0 : draw.below(Math.ceil(read / 20));
  const duplicates = draw.below(Math.ceil(read / 100));
  const accepted = read - rejectedLocally - duplicates;
  return { read, expanded: 0, accepted, rejectedLocally, duplicates, leftOut: 0, skipped: draw.below(4) };
}

function accountOf(counts: LocalCounts, outcome: Outcome | null, draw: Draw): RowCounts {
  const outranked = draw.below(Math.ceil(counts.accepted / 50));
  const contributed = counts.accepted - outranked;
  const rejectedRemotely = outcome === 'live' ? 0 : Math.min(contributed, draw.below(20));
  return { ...counts, outranked, contributed, rejectedRemotely, live: contributed - rejectedRemotely, unexplained: 0 };
}

function signalsOf({ accepted }: LocalCounts, draw: Draw): Signals {
  const cells = (position: number, column: string, known: number) => {
    return { column, position, sure: true, known, notGiven: 0, unreadable: 0, examples: [] };
  };
  const seen = (rows: number) => ({
    rows,
    names: { rows: Math.min(rows, 500), filled: Math.min(rows, 480) },
    price: { ...cells(4, 'Цена', rows), currency: 'EUR' },
    stock: { ...cells(5, 'Остаток', rows), inStock: Math.round(rows * 0.8) },
  });
  const compared = Math.min(accepted, 1000);
  const jumped = draw.below(Math.ceil(compared / 20));
  const before = seen(Math.round(accepted * (0.9 + draw.number() * 0.2)));
  return {
    seen: seen(accepted),
    before,
    comparedWith: null,
    compared,
    jumped,
    swapped: { parts: 0, of: compared },
    findings: [],
  };
}

type Ended = Pick<RunRow, 'id' | 'feed' | 'login' | 'outcome'> & {
  cause: Cause | null;
  counts: LocalCounts;
  name: string;
  at: number;
};

function reasonFor(run: Ended, draw: Draw): RunReason | null {
  const { id, feed, counts, name, at, cause, outcome } = run;
  const { read, rejectedLocally, accepted } = counts;
  const before = { who: 'anna', reason: draw.pick(['stock taking', 'Preise stimmen nicht <b>', 'поставщик звонил']) };
  const found = (text: string) => () => ({ code: 'found', text }) as const;
  const reasons: Partial<Record<Cause, () => RunReason | null>> = {
    uploaded: () =>
      outcome === 'live'
        ? null
        : { code: 'partial', read, live: accepted, rejectedLocally, rejectedRemotely: 0, unexplained: 0 },
    'same-file': () => ({ code: 'same-file', missing: null, uncertain: null, unseenSince: null }),
    superseded: () => ({ code: 'superseded', feed, run: id }),
    guard: () => {
      const tripped = { whose: { feed }, guard: 'maxRowDrop', limit: 0.5, before: read * 3, after: accepted } as const;
      return { code: 'guard', tripped: { ...tripped, withoutRejected: draw.chance(0.3) } };
    },
    'older-file': () => {
      const file = { name, at: at - 90_000_000 };
      return { code: 'older-file', file, known: { name, at }, run: id, isLive: true };
    },
    correction: () => {
      return { code: 'correction', rows: 12, matching: 11, accepted: read, missing: accepted, file: name, run: id };
    },
    unsure: found(`two charsets read ${name} equally well: windows-1251 and koi8-r`),
    frozen: () => ({ code: 'feed-frozen', at, ...before }),
    'turned-down': () => ({ code: 'rejected', ...before }),
    'disk-full': () => ({ code: 'failed', said: 'no space left on device', fault: true, diskFull: true, tries: 3 }),
    'no-file': found('no file is there'),
    'source-unreachable': found('ftp.supplier.example:21 did not answer within 30 s (connect ETIMEDOUT)'),
    'source-credentials': found('ftp.supplier.example refused the user “прайс” & its password'),
    'file-unusable': found(
      'the file has no column for oem; its columns are: Бренд, Цена, "A column that nobody reads"',
    ),
  };
  return cause === null ? null : (reasons[cause]?.() ?? null);
}

function issuesOf({ rejectedLocally, duplicates }: LocalCounts): Record<string, number> {
  const found = [
    ['brand-empty', rejectedLocally],
    ['duplicate', duplicates],
  ] as const;
  return Object.fromEntries(found.filter(([, rows]) => rows > 0));
}
