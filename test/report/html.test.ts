import { describe, expect, test } from 'vitest';
import { digestIssues } from '../../src/report/digest.ts';
import { htmlReport } from '../../src/report/html.ts';
import type { ReportInput } from '../../src/report/input.ts';
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
  return htmlReport(input, await digestIssues(input));
}

/** What a reader sees: without markup, spaces folded. */
function readable(page: string): string {
  return page
    .replace(/<style>.*<\/style>/s, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

describe('the page', () => {
  test('says the outcome first, then the account with its losses', async () => {
    const text = readable(await pageOf(reportInput(runAnswer(PARTIAL))));
    const order = [
      '1,197 of 1,250 rows are live, 40 rejected here, 6 rejected by the service, 7 duplicates',
      'Customers cannot find 46 rejected rows.',
      'Where the rows went',
      'Rows read 1,250 − rejected here 40 − duplicates 7 Accepted 1,203 Contributed 1,203 − rejected by the service 6 Live 1,197',
    ].map((phrase) => text.indexOf(phrase));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
  });

  test('says beside the account which lines are no offers, whatever is in them', async () => {
    const skipped = [
      { kind: 'blank' as const, rows: 7, examples: [{ sheet: null, line: 3, value: '' }] },
      { kind: 'lone-cell' as const, rows: 2, examples: [{ sheet: null, line: 4, value: '<b>Brakes</b>' }] },
    ];
    const text = readable(await pageOf(reportInput(runAnswer({ ...PARTIAL, skipped }))));
    expect(text).toContain('because they are no offers: 7 blank lines 2 headings and notes, such as line 4 [&lt;b&gt;');
    expect(readable(await pageOf(reportInput(runAnswer(PARTIAL))))).not.toContain('no offers');
  });

  test('draws the account: one bar for each stop and each loss, proportional to its rows', async () => {
    const page = await pageOf(reportInput(runAnswer(PARTIAL)));
    const bars = [...page.matchAll(/<rect\s+class="([a-z-]+)"[^>]*?height="([\d.]+)"/g)].map((bar) => bar.slice(1));
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
    const page = await pageOf(reportInput(runAnswer(PARTIAL), { issues: [rowIssue()], rejections: [rejectedRow()] }));
    expect(page).not.toMatch(/https?:|\/\/|<script|<link|<img|<iframe|url\(|@import|\son\w+=|\sstyle=|\shref=|\ssrc=/i);
    expect(page).toMatch(
      /http-equiv="Content-Security-Policy"\s+content="default-src &#39;none&#39;; style-src &#39;sha256-/,
    );
  });

  test('shows hostile text as text', async () => {
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u0000&amp;';
    const answer = runAnswer({ ...PARTIAL, delivery: { name: evil, sha256: 'ab', bytes: 1 } });
    const issues = [rowIssue({ value: evil, message: evil, column: evil, code: evil })];
    const page = await pageOf(
      reportInput(answer, { issues, rejections: [rejectedRow({ message: evil, brand: evil })] }),
    );
    expect(page).not.toMatch(/<script|<img/);
    expect(page).not.toContain('\u0000');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;␀&amp;amp;');
  });

  test('cuts long values and keeps the whole text at hand', async () => {
    const long = 'x'.repeat(500);
    const page = await pageOf(reportInput(runAnswer(PARTIAL), { issues: [rowIssue({ value: long })] }));
    expect(page).toContain(`title="${long}"`);
    const told = rejectedRow({ message: 'y'.repeat(1_000_000) });
    expect((await pageOf(reportInput(runAnswer(PARTIAL), { rejections: [told] }))).length).toBeLessThan(30_000);
    expect(readable(page)).toContain(`${'x'.repeat(80)}…`);
    expect(readable(page)).not.toContain('x'.repeat(81));
  });

  test('is stamped when it is about the sandbox, and only then', async () => {
    expect(await pageOf(reportInput(runAnswer({ ...PARTIAL, sandbox: true })))).toContain('SANDBOX');
    expect(await pageOf(reportInput(runAnswer(PARTIAL)))).not.toContain('SANDBOX');
  });

  test('gives issues by kind, errors first, with the first examples', async () => {
    const issues = [
      ...Array.from({ length: 9 }, (_, at) => rowIssue({ code: 'mojibake', severity: 'warning', line: 100 + at })),
      ...Array.from({ length: 6 }, (_, at) => rowIssue({ line: 10 + at })),
    ];
    const text = readable(await pageOf(reportInput(runAnswer(PARTIAL), { issues })));
    expect(text).toMatch(/6 Too many tags .* 14 tags .* and 1 more in the CSV\. 9 mojibake .* 104 tags .* and 4 more/);
    expect(text).toContain('At most 20; see onTooManyTags .');
  });

  test('says of rejections where they are, or that it is not certain', async () => {
    const rejections = [
      rejectedRow({ code: 'E1' }),
      rejectedRow({ line: null, match: 'ambiguous' }),
      rejectedRow({ line: null, match: 'none', brand: null, oem: null }),
    ];
    const text = readable(await pageOf(reportInput(runAnswer(PARTIAL), { rejections })));
    expect(text).toContain('9 ATE 13.0460 E1 unknown brand several ATE 13.0460 — unknown brand unknown —');
  });

  test('names what ops ask for, times in the time zone of the feed', async () => {
    const text = readable(await pageOf(reportInput(runAnswer(PARTIAL))));
    for (const fact of [
      'north-2026-05-04.zip',
      '5f3c5f3c',
      '9007199254740993',
      'k3v9',
      'windows-1251, delimiter “;”',
    ]) {
      expect(text).toContain(fact);
    }
    expect(text).toContain('2026-05-04 08:00:42 Europe/Berlin');
  });

  test('does not call rows of a held file contributed or unexplained: they were not sent', async () => {
    const rows = { read: 10, accepted: 10, contributed: 10, unexplained: 10 };
    const text = readable(await pageOf(reportInput(runAnswer({ outcome: 'held', reason: 'It shrank.', rows }))));
    expect(text).toContain('Rows read 10 Accepted 10 − not sent 10 Live from this file 0');
    expect(text).not.toMatch(/unexplained|contributed/i);
  });
});

test('both readings of a file that is not certain to be understood stand side by side', async () => {
  const readings = [
    { charset: 'utf-8', delimiter: ';', rows: [{ line: 1, cells: ['a', 'b,c'] }] },
    { charset: 'utf-8', delimiter: null, rows: [{ line: 1, cells: ['<a;b,c>'] }] },
  ];
  const answer = runAnswer({ outcome: 'held', reason: 'It is not certain how the file is written.', readings });
  const page = await pageOf(reportInput(answer));
  expect(readable(page)).toMatch(
    /How the file may be read .*utf-8, delimiter &quot;;&quot; utf-8, one column line 1 a \| b,c &lt;a;b,c&gt; /,
  );
});
