import { describe, expect, test } from 'vitest';
import { createDemand } from '../../src/parts/demand.ts';
import { findRows, htmlReport } from '../../src/report/html.ts';
import type { ReportInput } from '../../src/report/input.ts';
import type { BrandDiff, LiveChange, RecentDelivery, RowChange } from '../../src/model.ts';
import { languages, openLanguage } from '../../src/wording/language/language.ts';
import { runAnswer } from '../support/answers.ts';
import { rejectedRow, reportInput, rowIssue } from './report-input.ts';

const UPLOAD = { offerId: '9007199254740993', state: 'success', token: 'k3v9', attempts: 1, adopted: false };
const PARTIAL = {
  outcome: 'partial',
  upload: UPLOAD,
  rows: {
    read: 1250,
    accepted: 1203,
    rejectedLocally: 40,
    duplicates: 7,
    contributed: 1203,
    rejectedRemotely: 6,
    live: 1197,
  },
} as const;

async function pageOf(input: ReportInput): Promise<string> {
  return htmlReport(input, await findRows(input));
}

/** What a reader sees: without markup, spaces folded. */
function readable(page: string): string {
  return page
    .replace(/<style>.*<\/style>/s, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

/** What a reader sees before anything is unfolded. */
function unfolded(page: string): string {
  return readable(page.replaceAll(/<details.*?<\/details>/gs, ''));
}

function inOrder(text: string, phrases: string[]): void {
  const places = phrases.map((phrase) => text.indexOf(phrase));
  expect(phrases.filter((_, at) => places[at] === -1)).toEqual([]);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
}

function brandChange(brand: string, counts: Partial<BrandDiff>): BrandDiff {
  return { brand, before: 0, after: 0, added: 0, removed: 0, changed: 0, examples: [], ...counts };
}

const CHANGE: LiveChange = {
  before: 1300,
  after: 1197,
  added: 20,
  removed: 123,
  changed: 5,
  brands: [
    brandChange('BOSCH', { before: 1300, after: 1177, removed: 123, changed: 5 }),
    brandChange('Mann-Filter', { after: 20, added: 20 }),
  ],
  moreBrands: 0,
  tags: { added: 2, removed: 1 },
};

describe('the page', () => {
  test('says what happened, what is live, what changed, why rows are missing, what to do, and the rest folded', async () => {
    const input = reportInput(runAnswer(PARTIAL), {
      issues: [rowIssue()],
      rejections: [rejectedRow()],
      change: CHANGE,
    });
    const page = await pageOf(input);
    inOrder(readable(page), [
      'Nord Teile: ',
      'What is online now',
      'What changed against what was online before',
      'Why rows are missing or doubtful',
      'What to do, and who',
      'The rows',
      'Timeline',
      'Technical facts',
    ]);
    expect(unfolded(page)).not.toContain('Timeline');
  });

  test('shows nothing technical before the technical facts are unfolded, and all of it there', async () => {
    const answer = runAnswer({ ...PARTIAL, reason: 'See guard.maxRowDrop.', mapping: [] });
    const page = await pageOf(reportInput(answer));
    const facts = [
      '20260504-060000-k7m2',
      '5f3c5f3c',
      '9007199254740993',
      'k3v9',
      'windows-1251, delimiter “;”',
      'See guard.maxRowDrop.',
      '2026-05-04 08:00:42 Europe/Berlin',
    ];
    for (const fact of facts) {
      expect(readable(page)).toContain(fact);
      expect(unfolded(page)).not.toContain(fact);
    }
  });

  test('has headings in order, each once', async () => {
    const page = await pageOf(
      reportInput(runAnswer(PARTIAL), { issues: [rowIssue()], rejections: [rejectedRow()], change: CHANGE }),
    );
    const levels = [...page.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [at, level] of levels.entries()) expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1);
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('draws the account: one bar for each stop and each loss, proportional to its rows', async () => {
    const page = await pageOf(reportInput(runAnswer(PARTIAL)));
    const flow = /<figure class="flow">.*?<\/figure>/s.exec(page)?.[0] ?? '';
    const bars = [...flow.matchAll(/<rect\s+class="([a-z-]+)"[^>]*?height="([\d.]+)"/g)].map((bar) => bar.slice(1));
    expect(bars.map(([fate]) => fate)).toEqual([
      'rows',
      'rejected-here',
      'duplicate',
      'rows',
      'rows',
      'rejected-there',
      'live',
    ]);
    expect(Number(bars.at(-1)?.[1])).toBeCloseTo((1197 / 1250) * 120, 0);
    expect(page).toContain('role="img"');
  });

  test('needs nothing from elsewhere and allows nothing to run', async () => {
    const page = await pageOf(
      reportInput(runAnswer(PARTIAL), { issues: [rowIssue()], rejections: [rejectedRow()], change: CHANGE }),
    );
    expect(page).not.toMatch(/https?:|\/\/|<script|<link|<img|<iframe|url\(|@import|\son\w+=|\sstyle=|\shref=|\ssrc=/i);
    expect(page).toMatch(
      /http-equiv="Content-Security-Policy"\s+content="default-src &#39;none&#39;; style-src &#39;sha256-/,
    );
  });

  test('shows hostile text as text', async () => {
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u0000&amp;';
    const answer = runAnswer({ ...PARTIAL, delivery: { name: evil, sha256: 'ab', bytes: 1 } });
    const issues = [rowIssue({ value: evil, message: evil, column: evil, code: evil })];
    const change = { ...CHANGE, brands: [brandChange(evil, { before: 1, removed: 1 })] };
    const page = await pageOf(
      reportInput(answer, {
        issues,
        rejections: [rejectedRow({ message: evil, brand: evil })],
        change,
        supplier: evil,
      }),
    );
    expect(page).not.toMatch(/<script|<img/);
    expect(page).not.toContain('\u0000');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;␀&amp;amp;');
  });

  test('keeps writing from right to left, and what turns it round, from reordering the page', async () => {
    const page = await pageOf(
      reportInput(runAnswer(PARTIAL), { issues: [rowIssue({ value: 'a\u202Eb', cells: ['בוש', 'P1', ''] })] }),
    );
    expect(page).not.toContain('\u202E');
    expect(page).toMatch(/<bdi class="brand">בוש<\/bdi>/);
  });

  test('cuts long values and keeps the whole text at hand', async () => {
    const long = 'x'.repeat(500);
    const page = await pageOf(reportInput(runAnswer(PARTIAL), { issues: [rowIssue({ value: long })] }));
    expect(page).toContain(`title="${long}"`);
    const told = rejectedRow({ message: 'y'.repeat(1_000_000) });
    expect((await pageOf(reportInput(runAnswer(PARTIAL), { rejections: [told] }))).length).toBeLessThan(40_000);
    expect(readable(page)).toContain(`${'x'.repeat(80)}…`);
    expect(readable(page)).not.toContain('x'.repeat(81));
  });

  test('is stamped when it is about the sandbox, and only then', async () => {
    expect(await pageOf(reportInput(runAnswer({ ...PARTIAL, sandbox: true })))).toContain('SANDBOX');
    expect(await pageOf(reportInput(runAnswer(PARTIAL)))).not.toContain('SANDBOX');
  });
});

describe('the causes', () => {
  test('are cards: rows, brands, the first three rows; a thousand rows of one cause are one card', async () => {
    const issues = Array.from({ length: 1000 }, (_, at) => rowIssue({ line: 10 + at }));
    const page = await pageOf(reportInput(runAnswer(PARTIAL), { issues }));
    expect(page.match(/<article/g)).toHaveLength(1);
    expect(unfolded(page)).toMatch(/1,000 rows .* Brands: BREMBO 1,000 .* line 10 .* line 11 .* line 12 /);
    expect(unfolded(page)).not.toContain('line 13');
  });

  test('beyond the first ten are a folded list; paper shows four and says how many more there are', async () => {
    const issues = Array.from({ length: 30 }, (_, at) => rowIssue({ column: `column ${at}` }));
    const page = await pageOf(reportInput(runAnswer(PARTIAL), { issues }));
    expect(page.match(/<article/g)).toHaveLength(10);
    expect(page.match(/<article class="cause error screen"/g)).toHaveLength(6);
    expect(readable(page)).toContain('and 26 more causes and 20 more causes');
  });

  test('of rows that cannot be told where they are say so in the list of rows', async () => {
    const rejections = [
      rejectedRow({ code: 'E1' }),
      rejectedRow({ line: null, match: 'ambiguous' }),
      rejectedRow({ line: null, match: 'none', brand: null, oem: null }),
    ];
    const text = readable(await pageOf(reportInput(runAnswer(PARTIAL), { rejections })));
    expect(text).toMatch(/line 9 ATE 13.0460 E1 unknown brand .*one of several .*not found in the file — /);
  });
});

describe('what changed', () => {
  test('is told in numbers, as a picture with the same numbers, and by brand', async () => {
    const page = await pageOf(reportInput(runAnswer(PARTIAL), { change: CHANGE }));
    const picture = /<figure class="change">.*?<\/figure>/s.exec(page)?.[0] ?? '';
    const bars = [...picture.matchAll(/<rect\s+class="([a-z]+)"[^>]*?width="([\d.]+)"/g)];
    expect(bars.map(([, fate]) => fate)).toEqual(['same', 'changed', 'removed', 'same', 'changed', 'added']);
    expect(Number(bars[2]?.[2])).toBeCloseTo((123 / 1300) * 600, 0);
    expect(picture).toMatch(/role="img"\s+aria-label="[^"]*1,300[^"]*1,197/);
    expect(readable(page)).toContain('Unchanged 1,172 Changed 5 Gone 123 New 20');
    expect(readable(page)).toMatch(/BOSCH 1,300 1,177 0 123 5 Mann-Filter new 0 20 20 0 0/);
    expect(readable(page)).toContain('Tags of parts that stayed: 2 added, 1 removed.');
  });

  test('is said to be unknown, or that there was nothing before', async () => {
    const first = readable(await pageOf(reportInput(runAnswer(PARTIAL))));
    expect(first).toContain('There is no earlier delivery to compare with.');
    const strip: RecentDelivery[] = [{ run: 'r1', at: Date.UTC(2026, 4, 3), outcome: 'live', rows: 3 }];
    const unknown = readable(await pageOf(reportInput(runAnswer(PARTIAL), { strip })));
    expect(unknown).toContain('Not compared with the delivery before');
  });

  test('of a held delivery is what would change', async () => {
    const { tags: _tags, ...diff } = CHANGE;
    const answer = runAnswer({ outcome: 'held', cause: 'guard', diff: { of: 'dataset', ...diff } });
    const text = readable(await pageOf(reportInput(answer)));
    inOrder(text, ['What would change', 'all suppliers of this account', 'BOSCH']);
    expect(text).not.toContain('What changed');
  });
});

test('the last deliveries are signs with words, and counted', async () => {
  const ends = (['live', 'held', 'failed', 'partial'] as const).map((outcome, at) => ({
    run: at === 3 ? runAnswer().run : `r${at}`,
    at: Date.UTC(2026, 4, 1 + at),
    outcome,
    rows: outcome === 'live' || outcome === 'partial' ? 1200 + at : null,
  }));
  const page = await pageOf(reportInput(runAnswer(PARTIAL), { strip: ends }));
  const text = readable(page);
  expect(text).toContain('1 May 2026');
  expect(text).toMatch(/1,203 parts .*The last 4 deliveries:/);
  expect(page.match(/<li\s+class="partial this"/g)).toHaveLength(1);
});

test('both readings of a file that is not certain to be understood stand side by side', async () => {
  const readings = [
    { charset: 'utf-8', delimiter: ';', rows: [{ line: 1, cells: ['a', 'b,c'] }] },
    { charset: 'utf-8', delimiter: null, rows: [{ line: 1, cells: ['<a;b,c>'] }] },
  ];
  const answer = runAnswer({ outcome: 'held', reason: 'It is not certain how the file is written.', readings });
  const page = await pageOf(reportInput(answer));
  expect(readable(page)).toMatch(/How the file may be read .*utf-8.*utf-8.* line 1 a \| b,c &lt;a;b,c&gt; /);
});

test.each(languages())(
  'in %s the page says which language it is in, and its numbers and dates are of that',
  async (name) => {
    const language = openLanguage(name, 'Europe/Berlin');
    const page = await pageOf(
      reportInput(runAnswer(PARTIAL), { language, change: CHANGE, rejections: [rejectedRow()] }),
    );
    expect(page).toContain(`<html lang="${name}">`);
    expect(readable(page)).toContain(language.say('report.live.title'));
    expect(readable(page)).toContain(language.moment(Date.UTC(2026, 4, 4, 6, 0, 42)));
    expect(readable(page)).toContain(language.number(1177).replaceAll(/\s/g, ' '));
  },
);

test('rows that people look for most come first, wherever they stand in the file', async () => {
  const rejections = Array.from({ length: 80 }, (_, at) => rejectedRow({ line: at + 2, oem: `R-${at + 10}` }));
  const issues = Array.from({ length: 80 }, (_, at) => rowIssue({ line: at + 2, cells: ['SKF', `L-${at + 10}`, ''] }));
  const removed = ['G-1', 'G-2'].map((oem): RowChange => ({ change: 'removed', oem, line: 3, cells: [] }));
  const change = { ...CHANGE, brands: [brandChange('TRW', { before: 2, removed: 2, examples: removed })] };
  const demand = createDemand({
    look: 'look',
    parts: [
      { brand: 'ATE', oem: 'R-85', saleCategory: 1 },
      { brand: 'SKF', oem: 'L-86', saleCategory: 2 },
      { brand: 'TRW', oem: 'G-2', saleCategory: 3 },
    ],
  });
  const text = readable(await pageOf(reportInput(runAnswer(PARTIAL), { issues, rejections, change, demand })));
  inOrder(text, [
    'TRW G-2 in low demand',
    'TRW G-1',
    'ATE R-85 in very high demand',
    'ATE R-10',
    'line 78 in high demand',
  ]);
  expect(text).not.toContain('ATE R-84');
});
