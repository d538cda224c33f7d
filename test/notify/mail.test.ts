import { gunzipSync } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { buildRunMail } from '../../src/notify/mail.ts';
import { languages, openLanguage } from '../../src/wording/language/language.ts';
import { runAnswer } from '../support/answers.ts';
import { ENVELOPE, mailInput } from './mail-input.ts';

const READINGS = [
  { charset: 'windows-1251', delimiter: ';', rows: [{ line: 7, cells: ['ATE', 'Ф'] }] },
  { charset: 'koi8-r', delimiter: ';', rows: [{ line: 7, cells: ['ATE', 'т'] }] },
];

describe('a mail', () => {
  test('shows both readings of a file side by side', async () => {
    const answer = runAnswer({ outcome: 'held', cause: 'unsure', readings: READINGS });
    const { text, html } = await buildRunMail({ ...mailInput(), answer }, ENVELOPE);
    expect(text).toMatch(/line 7:\n {2}windows-1251[^\n]*: ATE \| Ф\n {2}koi8-r[^\n]*: ATE \| т\n/);
    expect(html.replaceAll(/<[^>]+>|\s+/g, ' ')).toMatch(/windows-1251.*koi8-r.*line 7 +ATE \| Ф +ATE \| т/);
  });

  test('has the supplier, what happened and the number in its subject', async () => {
    const { subject, to, from } = await buildRunMail(mailInput(), ENVELOPE);
    expect(subject).toBe('Nord Teile: 46 of 1,250 parts offline, one cause');
    expect({ to, from }).toEqual({ to: 'brakes@example.com', from: 'offerline@shop.example' });
  });

  test('says what is live, how it went before, why rows are missing, what to do, and when', async () => {
    const { text } = await buildRunMail(mailInput(), ENVELOPE);
    const order = [
      'Nord Teile: 46 of 1,250 parts offline, one cause',
      'The last delivery:',
      '- 40 rows: There are more tags than the 20 that are allowed.',
      'For example: line 5, ATE 13.0460, “a,b”',
      'What to do, and who:',
      'north-2026-05-04.zip',
      '4 May 2026',
    ].map((said) => [said, text.indexOf(said)] as const);
    expect(order.filter(([, at]) => at < 0)).toEqual([]);
    expect(order.map(([, at]) => at)).toEqual(order.map(([, at]) => at).toSorted((x, y) => x - y));
  });

  test.each(languages())('to managers names no setting, hash, run or command, in %s', async (name) => {
    const tripped = { guard: 'maxRowDrop', whose: { feed: 'north' }, limit: 0.3, before: 100, after: 40 } as const;
    const reason = { code: 'guard', tripped: { ...tripped, withoutRejected: false } } as const;
    for (const changes of [{}, { outcome: 'held', cause: 'guard', reason: 'guard.maxRowDrop' }] as const) {
      const input = { ...mailInput(changes), reason, language: openLanguage(name) };
      const { subject, text, html } = await buildRunMail(input, ENVELOPE);
      for (const part of [subject, text, html.replaceAll(/<style>.*<\/style>|<[^>]+>/gs, ' ')]) {
        expect(part).not.toMatch(/guard\.|feeds\.|`|offerline (?:approve|show|rerun)|[0-9a-f]{32}|20260504-060000/);
      }
    }
  });

  test('to ops has the technical facts and the commands as well', async () => {
    const { text, html } = await buildRunMail({ ...mailInput(), audience: 'ops' }, ENVELOPE);
    for (const part of [text, html]) {
      expect(part).toContain('5f3c'.repeat(16));
      expect(part).toContain('20260504-060000-k7m2');
      expect(part).toContain('offerline report');
    }
  });

  test('says the same in HTML that every mail program shows, and loads nothing', async () => {
    const { html } = await buildRunMail(mailInput(), ENVELOPE);
    for (const phrase of ['46 of 1,250 parts offline', 'more tags than the 20', 'ATE 13.0460']) {
      expect(html).toContain(phrase);
    }
    expect(html).not.toMatch(/https?:|<script|<img|<link|url\(|display:\s*(?:flex|grid)/i);
    expect(html).toContain('prefers-color-scheme:dark');
  });

  test('says in a list of mails what it means, before anything of its body', async () => {
    const { html } = await buildRunMail(mailInput(), ENVELOPE);
    const [, preheader = ''] = /<body[^>]*>\s*<div style="display:none;[^"]*">([^&]*)/.exec(html) ?? [];
    expect(preheader.trim().length).toBeGreaterThan(20);
    expect(preheader.trim().length).toBeLessThanOrEqual(101);
  });

  test('shows hostile text as text, in every part', async () => {
    const evil = '"><script>alert(1)</script>\u202e\u0007\r\nBcc: a@b.de';
    const input = mailInput({ delivery: { name: evil, sha256: 'ab', bytes: 1 }, outcome: 'rejected' });
    const [cause] = input.causes;
    const causes = [
      { ...cause!, code: null, text: evil, by: 'service' as const, brands: [{ brand: evil, rows: 1 }] },
      { ...cause!, column: evil, examples: [{ sheet: evil, line: 1, brand: evil, oem: evil, value: evil }] },
    ];
    const { html, text, subject } = await buildRunMail({ ...input, supplier: evil, causes }, ENVELOPE);
    expect(html).not.toContain('<script');
    expect(html.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(4);
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    expect(text).not.toMatch(/[\u0007\u202e\r]/);
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    expect(subject).not.toMatch(/[\u0000-\u001f\u202e]/);
  });

  test('has less than 100 kB of HTML, whatever it is made from', async () => {
    const long = 'Ж<&">'.repeat(4000);
    const input = mailInput({
      readings: [1, 2, 3].map(() => ({
        charset: 'koi8-r',
        delimiter: ';',
        rows: [1, 2, 3].map((line) => ({ line, cells: Array.from({ length: 200 }, () => long) })),
      })),
    });
    const cause = { ...input.causes[0]!, code: null, text: long, by: 'service' as const };
    const examples = [1, 2, 3].map((line) => ({ sheet: long, line, brand: long, oem: long, value: long }));
    const brands = [1, 2, 3].map((rows) => ({ brand: long, rows }));
    const causes = Array.from({ length: 300 }, () => ({ ...cause, examples, brands }));
    const strip = Array.from({ length: 30 }, () => ({ ...input.strip[0]!, outcome: 'failed' as const }));
    const { html } = await buildRunMail({ ...input, causes, strip, audience: 'ops' }, ENVELOPE);
    expect(Buffer.byteLength(html)).toBeLessThan(100_000);
  });

  test('is stamped when it is about the sandbox', async () => {
    const { subject, text, html } = await buildRunMail(mailInput({ sandbox: true }), ENVELOPE);
    expect(subject).toMatch(/^\[SANDBOX\] Nord Teile: 46 of/);
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

describe('with a console that readers can open', () => {
  const console = 'https://offers.example.com';

  test('a mail leads to its run, and to the decision where it waits for one', async () => {
    const live = await buildRunMail({ ...mailInput(), console }, ENVELOPE);
    expect(live.text).toMatch(/See the run in the console: https:\/\/offers\.example\.com\/runs\/[\w-]+\n/u);
    expect(live.html).toMatch(/<a href="https:\/\/offers\.example\.com\/runs\/[\w-]+">/u);
    const input = mailInput();
    const held = { ...input, console, answer: { ...input.answer, outcome: 'held' as const, cause: 'guard' as const } };
    expect((await buildRunMail(held, ENVELOPE)).text).toMatch(/Decide in the console: \S+#decide\n/u);
  });

  test('nothing is linked without one', async () => {
    const { text, html } = await buildRunMail(mailInput(), ENVELOPE);
    expect(text).not.toContain('console');
    expect(html).not.toContain('<a ');
  });
});
