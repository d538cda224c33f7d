import { languages, openLanguage } from '../../../src/wording/language/language.ts';
import type { PartsChange, PartsGone, TrippedGuard } from '../../../src/model.ts';
import type { IncidentReason } from '../../../src/wording/reasons/incident-reasons.ts';
import { rowCounts } from '../../support/answers.ts';
import type { RunReason } from '../../../src/wording/reasons/run-reasons.ts';

const RUN = '20260504-060000-k7m2';
const AT = Date.UTC(2026, 4, 4, 4, 0, 12);
const SHA = '5f3c'.repeat(16);

/** Every language that there is, by its name. */
export const LANGUAGES = languages().map((name) => [name, openLanguage(name, 'Europe/Berlin')] as const);

const TECHNICAL = [
  /`|\b(guard|feeds|service|logins|keep|mail)\.[a-z]/,
  /[0-9a-f]{32}|[{}]/,
  /undefined|null|NaN|\[object/,
  /^\s|\s$| {2}|\.\./,
];

/** Those of some texts that hold what no manager should read: commands, settings, hashes, run ids, JSON, facts that are missing. */
export function technicalIn(texts: string[]): string[] {
  return texts.filter((text) => text.includes(RUN) || TECHNICAL.some((pattern) => pattern.test(text)));
}

const WHOSE = [{ feed: 'north' }, { login: 'main' }] as const;

/** Each thing that may have happened to the parts of a list. */
const CHANGES: PartsChange[] = [
  ...[true, false].flatMap((isNew): PartsChange[] => [
    { what: 'ending', text: '-N', isNew },
    { what: 'beginning', text: 'ZX', isNew },
    { what: 'zeros', isNew },
    { what: 'brand-before', isNew },
  ]),
  { what: 'letters' },
  { what: 'marks' },
  { what: 'swapped' },
  { what: 'brand' },
];

const LOST = { gone: 900, of: 1201, examples: [], change: null, other: null };
const PARTS_GONE: PartsGone[] = [
  LOST,
  { ...LOST, other: { feed: 'south', share: 0.8, parts: 1100 } },
  { ...LOST, gone: 0, of: 0, other: { feed: 'south', share: 0.9, parts: 1100 } },
  ...CHANGES.map((change): PartsGone =>
    Object.assign({}, LOST, { change: Object.assign({}, change, { parts: 880, of: 900 }) }),
  ),
];

/** One guard of each kind, of a supplier and of a whole account. */
export const GUARDS: TrippedGuard[] = WHOSE.flatMap((whose): TrippedGuard[] =>
  (
    [
      { whose, guard: 'minRows', limit: 1000, rows: 21 },
      { whose, guard: 'maxRejected', limit: 0.2, rejected: 600, read: 1201 },
      { whose, guard: 'maxRowDrop', limit: 0.5, before: 1201, after: 480, withoutRejected: false },
      { whose, guard: 'maxRowDrop', limit: 0.5, before: 1201, after: 480, withoutRejected: true },
      { whose, guard: 'maxRowGrowth', limit: 1, before: 1201, after: 18_000, withoutRejected: false },
      {
        whose,
        guard: 'maxBrandDrop',
        limit: 0.5,
        first: { kind: 'brand', name: 'BREMBO', before: 400, after: 0 },
        others: [{ kind: 'brand', name: 'ATE', before: 20, after: 3 }],
        more: 1,
      },
      {
        whose,
        guard: 'maxTagDrop',
        limit: 0.5,
        first: { kind: 'tag', name: 'winter', before: 400, after: 21 },
        others: [],
        more: 0,
      },
      { whose, guard: 'maxPriceJump', limit: 0.5, parts: 900, of: 1000, how: 'jumped' },
      { whose, guard: 'maxPriceJump', limit: 0.5, parts: 900, of: 1000, how: 'swapped' },
      { whose, guard: 'maxPriceJump', limit: 0.5, parts: 900, of: 1000, how: 'unreadable' },
      { whose, guard: 'maxStockDrop', limit: 0.5, before: { rows: 900, of: 1000 }, after: { rows: 21, of: 1000 } },
    ] as TrippedGuard[]
  ).concat(PARTS_GONE.map((gone) => Object.assign({ whose, guard: 'maxPartsGone' as const, limit: 0.5 }, gone))),
);

const MISSING = { read: 2000, rejectedRemotely: 21, outranked: 5, unexplained: 2, since: '17' };

/** At least one reason of each code, with facts that only ops should read. */
export const REASONS: { [Code in RunReason['code']]: Extract<RunReason, { code: Code }>[] } = {
  found: [
    { code: 'found', text: 'The column `oem` is missing: set feeds.north.columns.' },
    { code: 'found', text: '`x.zip` is broken.', why: { refusal: 'zip-broken' } },
    { code: 'found', text: '`x.xlsx` has no table.', why: { refusal: 'no-table' } },
  ],
  'unsure-cells': (['numbers', 'tags', 'brand-number', 'number-name'] as const).map((kind) => ({
    code: 'unsure-cells',
    feed: 'north',
    kind,
    marks: [',', ';'],
    column: null,
    evidence: '48 of 50 cells have several whole numbers',
    example: { sheet: null, line: 12, value: 'A00037,B00091' },
  })),
  'rule-column': [
    { code: 'rule-column', feed: 'north', rule: 'no stock', column: 'stock', isSeen: true, isMissing: true, found: [] },
    {
      code: 'rule-column',
      feed: 'north',
      rule: 'used parts',
      column: 'Zustand',
      isSeen: false,
      isMissing: false,
      found: ['"Zustand" (column 3)', '"Zustand" (column 7)'],
    },
    {
      code: 'rule-column',
      feed: 'north',
      rule: 'no stock',
      column: 'stock',
      isSeen: true,
      isMissing: true,
      found: ['"Menge" (column 3)'],
      file: 'ate.csv',
    },
  ],
  'rule-emptied': [
    { code: 'rule-emptied', column: 'stock', rows: 1204, empty: 1204, before: { rows: 1190, empty: 3 } },
  ],
  'rule-numbers': [{ code: 'rule-numbers', column: 'stock', rows: 1204, unreadable: 400 }],
  'unsure-columns': [
    {
      code: 'unsure-columns',
      run: RUN,
      feed: 'north',
      proposed: [
        { key: 'brand', column: 'Producator', position: 2, sure: false, evidence: '98 % are `known` makers' },
        { key: 'oem', column: null, position: 3, sure: false, evidence: 'feeds.north.columns' },
      ],
      missing: ['tags', 'ean'],
      ambiguous: [],
    },
    {
      code: 'unsure-columns',
      run: null,
      feed: 'north',
      proposed: [],
      missing: ['brand'],
      ambiguous: [],
      changes: 'a column `x` is new',
    },
  ],
  guard: GUARDS.map((tripped) => ({ code: 'guard', tripped })),
  'new-checks': [
    {
      code: 'new-checks',
      feed: 'north',
      rows: 30,
      read: 1200,
      checks: [
        { code: 'placeholder-value', rows: 29, examples: [{ place: 'line 2', value: 'n/a' }] },
        { code: 'digits-lost', rows: 1, examples: [{ place: 'line 9', value: '12345678901234600000' }] },
      ],
    },
  ],
  failed: [
    { code: 'failed', said: `{"error":"${SHA}"}`, fault: true, diskFull: false, tries: 3 },
    { code: 'failed', said: 'it broke', fault: false, diskFull: false, tries: 1 },
    ...Object.entries({ bytes: 16_777_216, pages: 2000, entries: 50_000, time: 60_000 }).map(([limit, most]) => ({
      code: 'failed' as const,
      said: '`source.maxFiles`',
      fault: false,
      diskFull: false,
      tries: 1,
      why: { limit, most },
    })),
  ],
  'process-died': [{ code: 'process-died', run: RUN, stage: 'read', times: 3 }],
  superseded: [{ code: 'superseded', feed: 'north', run: RUN }],
  'same-file': [
    { code: 'same-file', missing: MISSING, uncertain: null, unseenSince: AT },
    { code: 'same-file', missing: null, uncertain: 'upload {17} is under way', unseenSince: null },
  ],
  'same-dataset': [
    { code: 'same-dataset', missing: MISSING },
    { code: 'same-dataset', missing: null },
  ],
  'older-file': [
    {
      code: 'older-file',
      file: { name: 'offers-01.csv', at: AT },
      known: { name: null, at: AT },
      run: RUN,
      isLive: true,
    },
    {
      code: 'older-file',
      file: { name: null, at: AT },
      known: { name: 'offers-02.csv', at: AT },
      run: RUN,
      isLive: false,
    },
  ],
  'change-order': (['gap', 'older', 'repeated', 'stopped', 'no-base'] as const).map((why) => ({
    code: 'change-order',
    why,
    feed: 'north',
    file: 'delta_6.csv',
    other: why === 'gap' || why === 'no-base' ? null : 'delta_5.csv',
    run: RUN,
    missing: why === 'gap' ? ['delta_4.csv', 'delta_5.csv'] : [],
  })),
  'same-changes': [{ code: 'same-changes', file: 'delta_6.csv', other: 'delta_5.csv', run: RUN }],
  correction: [
    { code: 'correction', rows: 57, matching: 55, accepted: 1200, missing: 1190, file: 'offers.csv', run: RUN },
  ],
  'joined-file-old': [
    { code: 'joined-file-old', feed: 'north', role: 'stock', file: 'stock.csv', at: AT, maxAge: 86_400_000 },
  ],
  'files-missing': [
    { code: 'files-missing', feed: 'north', file: 'makers.zip', missing: ['trw.csv'], more: 0, run: RUN },
    { code: 'files-missing', feed: 'north', file: 'makers.zip', missing: ['ate.csv', 'trw.csv'], more: 11, run: RUN },
  ],
  'joined-file-shrank': [
    {
      code: 'joined-file-shrank',
      feed: 'north',
      role: 'stock',
      file: 'stock.csv',
      limit: 0.5,
      before: { rows: 1380, of: 1395 },
      after: { rows: 20, of: 1395 },
    },
  ],
  'feed-frozen': [{ code: 'feed-frozen', at: AT, who: 'ann', reason: 'season end' }],
  rejected: [{ code: 'rejected', who: 'ann', reason: 'wrong file' }],
  'credentials-refused': [{ code: 'credentials-refused', login: 'main', said: '401 `x`', at: AT }],
  unreachable: [{ code: 'unreachable', note: '{"error":503}' }],
  unsent: [{ code: 'unsent', run: RUN, note: null }],
  'outcome-unknown': [{ code: 'outcome-unknown', run: RUN, upload: '17', note: '`processing`' }],
  'rows-damaged': [{ code: 'rows-damaged', path: `archive/${SHA}`, feed: 'north' }],
  partial: [
    { code: 'partial', read: 1201, live: 555, rejectedLocally: 600, rejectedRemotely: 45, unexplained: 1 },
    { code: 'partial', read: 1201, live: 1200, rejectedLocally: 0, rejectedRemotely: 1, unexplained: 0 },
  ],
  unproved: [
    { code: 'unproved', upload: '17', failed: ['`lines`: 40 of {41}'], checks: [] },
    { code: 'unproved', upload: '17', failed: [], checks: ['unavailable'] },
  ],
  'upload-refused': [{ code: 'upload-refused', said: '{"error":"no"}' }],
  'upload-failed': [{ code: 'upload-failed', upload: '17', said: SHA }],
  'upload-aborted': [{ code: 'upload-aborted', upload: '17', said: '' }],
  'failed-together': [{ code: 'failed-together', feed: 'north', said: '{}' }],
};

const DAY = 86_400_000;
const WHO = { who: 'anna', reason: 'supplier called' };

/** A reason of an incident of each code, with facts that a service or a disk might give. */
export const INCIDENT_TOLD: IncidentReason[] = [
  { code: 'run-ended', outcome: 'failed', cause: 'disk-full', reason: null },
  { code: 'run-ended', outcome: 'held', cause: 'guard', reason: { code: 'guard', tripped: GUARDS[0]! } },
  { code: 'delivery-approved', ...WHO },
  { code: 'columns-accepted', ...WHO },
  { code: 'reading-taken', charset: 'windows-1251', delimiter: ';', ...WHO },
  { code: 'rows-rejected', ...rowCounts({ read: 1201, live: 601, rejectedLocally: 600 }), verified: true },
  { code: 'rows-unexplained', count: 21, contributed: 1201 },
  { code: 'rows-lost', offerId: '17', wasLive: 1201, lost: 21, live: 1180 },
  { code: 'receipt-failed', upload: '17', failed: [`lines: {"sent":1} ${SHA}`] },
  { code: 'live-unverified', failedUpload: '18', upload: '17', failed: ['x'], next: 'guard.maxRowDrop' },
  { code: 'upload-stalled', upload: '17', since: AT, note: '`offerline doctor`' },
  { code: 'foreign-upload', found: SHA, sameRows: true, next: 'service.poll' },
  { code: 'accepted-late', attempt: 2, intent: 'i1', upload: '17', state: 'success', next: '{}' },
  { code: 'credentials-refused', said: '{"error":401}' },
  { code: 'no-usable-answer', since: AT, note: '{"error":500}' },
  { code: 'file-damaged', file: 'rows', path: SHA, damage: 'missing', more: 1, leaves: true },
  { code: 'file-damaged', file: 'rows', path: SHA, damage: 'missing', more: 0, leaves: false },
  { code: 'feed-frozen', ...WHO },
  { code: 'second-asked', request: RUN, who: 'anna', reason: 'season end', ends: AT },
  { code: 'incomplete', there: ['list.csv'], more: 0, missing: ['stock*'], within: 7_200_000, isTaken: false },
  { code: 'incomplete', there: [], more: 0, missing: ['2 of 3 files'], within: 7_200_000, isTaken: true },
  { code: 'changes-stopped', file: 'delta_5.csv', run: RUN, state: 'rejected', count: 2 },
  { code: 'changes-late', file: 'delta_1.csv', more: 0 },
  { code: 'changes-late', file: 'delta_1.csv', more: 2 },
  { code: 'misnamed', files: ['price_2.XLS'], more: 0, pattern: 'price_*.csv' },
  { code: 'misnamed', files: ['price_2.XLS', 'price_3.XLS'], more: 3, pattern: 'price_*.csv' },
  { code: 'nothing-delivered', forMs: 2 * DAY, expectEvery: DAY, last: AT },
  { code: 'nothing-delivered', forMs: 2 * DAY, expectEvery: DAY, last: null },
  { code: 'not-in-time', due: AT, came: 0, of: 1, last: AT, timeZone: 'Europe/Berlin' },
  { code: 'not-in-time', due: AT, came: 1, of: 2, last: AT, timeZone: 'Europe/Berlin' },
  { code: 'not-in-time', due: AT, came: 0, of: 1, last: null, timeZone: 'Europe/Berlin' },
  { code: 'expiry-ahead', forMs: 7 * DAY, expires: 14 * DAY, leaves: AT, login: 'main' },
  { code: 'expiry-ahead', forMs: 15 * DAY, expires: 14 * DAY, leaves: null, login: 'main' },
  { code: 'expired' },
  { code: 'lane-failed', times: 21, since: AT, said: 'ENOSPC: guard.x' },
  { code: 'not-removed', file: 'prices.csv', said: 'ENOSPC' },
  { code: 'result-not-put', file: 'prices_result.xlsx', said: 'ENOSPC' },
  { code: 'unserved', run: '20260504-060000-k7m2', labels: ['nas'] },
  { code: 'backup-late', place: '/mnt/backup', due: AT, last: AT, said: 'ENOSPC', timeZone: 'UTC' },
  { code: 'backup-late', place: '/mnt/backup', due: AT, last: null, said: null, timeZone: 'UTC' },
  { code: 'backup-late', place: '/mnt/backup', due: AT, last: null, ahead: AT, said: null, timeZone: 'UTC' },
  { code: 'backup-lacks', place: '/mnt/backup', backup: '000007-20260504-060000-k7m2', files: 2 },
  { code: 'parts-not-found', missing: 1, asked: 100, upload: '17', examples: ['BOSCH 0986424797'] },
  {
    code: 'parts-not-found',
    missing: 4,
    asked: 100,
    upload: '17',
    examples: ['BOSCH 0986424797', 'ATE 13.0460-2798.2', 'TRW GDB1330'],
  },
  {
    code: 'hooks-stopped',
    hooks: [
      { hook: 'ops', since: AT, lost: 1, said: 'answered 500' },
      { hook: 'shop', since: AT, lost: 12, said: 'refused the connection' },
      { hook: 'shop', since: AT, lost: 1, said: null },
    ],
  },
  { code: 'no-report', run: '20260504-060000-k7m2', said: 'ENOSPC' },
];
