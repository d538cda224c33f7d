import { gunzipSync } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { buildRunMail } from '../../src/notify/mail.ts';
import { runAnswer } from '../support/answers.ts';
import { ENVELOPE, mailInput } from './mail-input.ts';

const READINGS = [
  { charset: 'windows-1251', delimiter: ';', rows: [{ line: 7, cells: ['ATE', 'Ф'] }] },
  { charset: 'koi8-r', delimiter: ';', rows: [{ line: 7, cells: ['ATE', 'т'] }] },
];

describe('a mail', () => {
  test('shows both readings of a file side by side', async () => {
    const answer = runAnswer({ outcome: 'held', reason: 'It is not certain how it is written.', readings: READINGS });
    const { text, html } = await buildRunMail({ ...mailInput(), answer }, ENVELOPE);
    expect(text).toContain(
      'How the file may be read:\nline 7:\n  windows-1251, delimiter ";"  ATE | Ф\n  koi8-r, delimiter ";"        ATE | т\n',
    );
    expect(html.replaceAll(/<[^>]+>|\s+/g, ' ')).toMatch(/windows-1251.*koi8-r.*line 7 +ATE \| Ф +ATE \| т/);
  });

  test('has the facts in its subject', async () => {
    const { subject, to, from } = await buildRunMail(mailInput(), ENVELOPE);
    expect(subject).toBe('north: partial — 1,204 of 1,250 rows are live, 40 rejected here…');
    expect({ to, from }).toEqual({ to: 'brakes@example.com', from: 'offerline@shop.example' });
  });

  test('says in its text what happened, what it means, what to do, and where', async () => {
    const { text } = await buildRunMail(mailInput(), ENVELOPE);
    expect(text).toBe(`north: partial — 1,204 of 1,250 rows are live, 40 rejected here, 6 rejected by the service

The other rows are live. Customers cannot find 46 rejected rows.
* Send the supplier the CSV: it gives the line, value and reason for each rejected row, with its original cells.
* Start with the most frequent issue; it often has a single cause.

Rows read                  1,250
− rejected here               40
− rejected by the service      6
Live                       1,204

Issues in the supplier’s file:
- 40 × Too many tags
  e.g. line 5: “a,b” — 21 tags, but at most 20 are allowed.

Rejected by the service:
- line 12: ATE 13.0460
  unknown brand
- and 5 more in the CSV

Run       20260504-060000-k7m2
Login     main
Time      2026-05-04 08:00:42 Europe/Berlin
Delivery  north-2026-05-04.zip
SHA-256   ${'5f3c'.repeat(16)}
Offer id  9007199254740993
`);
  });

  test('counts what was skipped beside the account, but for blank lines', async () => {
    const given = mailInput();
    const skipped = [
      { kind: 'blank' as const, rows: 70, examples: [] },
      { kind: 'lone-cell' as const, rows: 12, examples: [] },
      { kind: 'total' as const, rows: 1, examples: [] },
    ];
    const { text } = await buildRunMail({ ...given, answer: { ...given.answer, skipped } }, ENVELOPE);
    expect(text).toMatch(/Live +1,204\nSkipped, no offers +13\n/);
  });

  test('says the same in HTML that every mail program shows', async () => {
    const { html } = await buildRunMail(mailInput(), ENVELOPE);
    for (const phrase of ['1,204 of 1,250 rows are live', 'Too many tags', 'ATE 13.0460', 'and 5 more in the CSV']) {
      expect(html).toContain(phrase);
    }
    expect(html).not.toMatch(/https?:|<style|<script|<img|<link|url\(|class=/i);
  });

  test('says in a list of mails what it means, before anything of its body', async () => {
    const { html } = await buildRunMail(mailInput(), ENVELOPE);
    const [, preheader = ''] = /<body[^>]*>\s*<div style="display:none;[^"]*">([^&]*)/.exec(html) ?? [];
    expect(preheader.trim()).toBe('The other rows are live. Customers cannot find 46 rejected rows.');
  });

  test('has a short preheader in which hostile text is text', async () => {
    const reason = `It is refused. ${'<b onclick="x">'.repeat(40)}`;
    const { html } = await buildRunMail(mailInput({ outcome: 'rejected', reason }), ENVELOPE);
    const [, preheader = ''] = /display:none;[^"]*">(.*?)&#847;/s.exec(html) ?? [];
    expect(preheader.trim()).toMatch(/^&lt;b onclick=&quot;x&quot;&gt;/);
    expect(preheader.trim().replaceAll(/&\w+;/g, '?').length).toBeLessThanOrEqual(101);
  });

  test('shows hostile text as text', async () => {
    const evil = '"><script>alert(1)</script>';
    const input = mailInput({ delivery: { name: evil, sha256: 'ab', bytes: 1 }, outcome: 'rejected', reason: evil });
    const issues = [
      { title: evil, severity: 'error' as const, count: 1, examples: [{ line: 1, value: evil, message: evil }] },
    ];
    const { html } = await buildRunMail({ ...input, issues }, ENVELOPE);
    expect(html).not.toContain('<script');
    expect(html.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(4);
  });

  test('is stamped when it is about the sandbox', async () => {
    const { subject, text, html } = await buildRunMail(mailInput({ sandbox: true }), ENVELOPE);
    expect(subject).toMatch(/^\[SANDBOX\] north: partial/);
    expect(text).toMatch(/^SANDBOX/);
    expect(html).toContain('SANDBOX');
  });

  test('is known by run, outcome and recipient', async () => {
    const [mail, again, other, amended] = await Promise.all([
      buildRunMail(mailInput(), ENVELOPE),
      buildRunMail(mailInput(), { ...ENVELOPE, to: 'Brakes@example.com' }),
      buildRunMail(mailInput(), { ...ENVELOPE, to: 'filters@example.com' }),
      buildRunMail(mailInput({ outcome: 'live' }), ENVELOPE),
    ]);
    expect(again.id).toBe(mail.id);
    expect(new Set([mail.id, other.id, amended.id]).size).toBe(3);
  });
});

test('what goes with the mail beside the CSV stands behind it, and what was left out is said', async () => {
  const workbook = { filename: 'a-marked.xlsx', contentType: 'application/x', content: Buffer.from('x'), note: null };
  const others = { attachments: [workbook], notes: ['The mail to the supplier is too large for a mail.'] };
  const { attachments, text, html } = await buildRunMail(
    { ...mailInput(), csvCharset: 'windows-1251', others },
    ENVELOPE,
  );
  expect(attachments.map(({ filename }) => filename)).toEqual(['north-20260504-060000-k7m2.csv', 'a-marked.xlsx']);
  expect(attachments[0]?.contentType).toBe('text/csv; charset=windows-1251');
  for (const part of [text, html]) expect(part).toContain('The mail to the supplier is too large for a mail.');
});

describe('the attached CSV', () => {
  test('is left out when it has no row', async () => {
    const { attachments } = await buildRunMail(mailInput({ issues: {}, rejections: [], rejectionsTotal: 0 }), ENVELOPE);
    expect(attachments).toEqual([]);
  });

  test('is the report as it is', async () => {
    const csv = '\uFEFFkind,code\r\nissue,"a\r\nb"\r\n';
    const { attachments } = await buildRunMail(mailInput({}, csv), ENVELOPE);
    expect(attachments[0]).toMatchObject({ filename: 'north-20260504-060000-k7m2.csv', note: null });
    expect(attachments[0]?.content.toString()).toBe(csv);
  });

  test('is compressed over 5 MB, and the mail says so', async () => {
    const csv = 'issue,brand-empty,error\r\n'.repeat(300_000);
    const { attachments, text } = await buildRunMail(mailInput({}, csv), ENVELOPE);
    expect(attachments[0]?.filename).toBe('north-20260504-060000-k7m2.csv.gz');
    expect(gunzipSync(attachments[0]?.content ?? '').toString()).toBe(csv);
    expect(text).toContain('The CSV is large, so it is compressed');
  });

  test('is cut after a whole row when even that is too large, and the mail says so', async () => {
    const rows = Array.from(
      { length: 12 },
      () => `"x\r\n${randomBytes(400_000).toString('latin1').replaceAll('"', '')}"\r\n`,
    );
    const { attachments, text } = await buildRunMail(mailInput({}, rows.join('')), ENVELOPE);
    expect(attachments[0]?.filename).toBe('north-20260504-060000-k7m2-first-rows.csv.gz');
    const kept = gunzipSync(attachments[0]?.content ?? '').toString();
    const whole = rows.findIndex((_, at) => rows.slice(0, at).join('') === kept);
    expect(whole).toBeGreaterThan(0);
    expect(text).toContain('only its first rows');
  });
});
