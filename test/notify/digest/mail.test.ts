import { expect, test } from 'vitest';
import { buildDigestMail } from '../../../src/notify/digest/mail.ts';
import { languages, openLanguage } from '../../../src/wording/language/language.ts';
import { ENVELOPE } from '../mail-input.ts';
import { DAY, digestInput, HOUR, incident, NOW, OF_SEVERITY, supplier } from './digest-input.ts';

const mailOf = (changes: Parameters<typeof digestInput>[0]) => buildDigestMail(digestInput(changes), ENVELOPE);

const BAD = supplier({
  feed: 'weser',
  name: 'Weser AG',
  live: 600,
  liveDayBefore: 1201,
  liveWeekBefore: null,
  file: { read: 1201, rejected: 601, leftOut: 0 },
  deliveredAt: NOW - 3 * DAY,
  isLate: true,
  incident: OF_SEVERITY.medium,
});

test('one line for each supplier, the worst first; runs only as numbers', () => {
  const { subject, text } = mailOf({
    suppliers: [supplier(), BAD, supplier({ feed: 'new', name: 'Elbe KG', live: 0, file: null, deliveredAt: null })],
    incidents: [incident({ supplier: 'Weser AG' })],
  });
  expect(subject).toBe('2 of 3 suppliers need attention');
  expect(text).toBe(`2 of 3 suppliers need attention
As of 5 May 2026 at 06:00 UTC.

Need attention, the worst first:
- Elbe KG: nothing online
  Nothing delivered yet. Ask the supplier for the file.
  −1,201 since yesterday · −1,189 since last week · nothing delivered yet (expected every 24 hours)
- Weser AG: 600 parts online [##########xxxxxxxxxx]
  The delivery is overdue. Ask the supplier for the file.
  −601 since yesterday · 601 rows rejected (50%) · overdue: last delivery 3 days ago (expected every 24 hours)

All in order:
- Rhein GmbH: 1,201 parts online [####################]
  ±0 since yesterday · +12 since last week · no rows rejected · last delivery 3 hours ago (expected every 24 hours)

The bar shows the rows of the file that went online last: # is online, x was rejected, - is not shown for another reason.

What is wrong now, the gravest first:
- Weser AG: the delivery is overdue
  Since 5 May 2026 at 02:00 UTC. Nothing has come for 2 days; a delivery is expected every 24 hours. The last one came on 3 May 2026. Ask the supplier for the file.

12 runs since 4 May 2026 at 06:00 UTC: 10 online and 2 unchanged
`);
});

test('a delivery that is due by the clock says when, and since when it is overdue', () => {
  const due = { expectEvery: null, dueAt: NOW + 2 * HOUR };
  const late = { ...due, dueAt: NOW - 4 * HOUR, isLate: true, feed: 'weser', name: 'Weser AG' };
  const reason = {
    code: 'not-in-time',
    due: NOW - 4 * HOUR,
    came: 1,
    of: 2,
    last: NOW - 3 * HOUR,
    timeZone: 'UTC',
  } as const;
  const { text } = mailOf({
    suppliers: [supplier(due), supplier(late)],
    incidents: [incident({ supplier: 'Weser AG', reason })],
  });
  expect(text).toContain('· last delivery 3 hours ago (next one due 5 May 2026 at 08:00 UTC)');
  expect(text).toContain('· overdue since 5 May 2026 at 02:00 UTC: last delivery 3 hours ago');
  expect(text).toContain(
    'A delivery was due by 5 May 2026 at 02:00 UTC; 1 of that day had come before. The last one came on 5 May 2026.',
  );
});

test('with a console, who needs attention is a link to review', () => {
  const { text, html } = mailOf({ console: 'https://offerline.example.com', suppliers: [BAD, supplier()] });
  expect(text).toContain(
    '\n  The delivery is overdue. Ask the supplier for the file.\n  Review: https://offerline.example.com/feeds/weser\n',
  );
  expect(html).toContain('<a href="https://offerline.example.com/feeds/weser">Review</a>');
  expect(html).not.toContain('/feeds/rhein');
});

test('a quiet day, and a week', () => {
  const { subject, text } = mailOf({ runs: [] });
  expect(subject).toBe('Your supplier is in order');
  expect(text).toContain('Nothing is wrong at the moment\n\nNo runs since 4 May 2026 at 06:00 UTC\n');
  const week = mailOf({ every: 'weekly', suppliers: [supplier(), BAD] });
  expect(week.subject).toBe('Week: 1 of 2 suppliers needs attention');
  expect(week.headers).toMatchObject({ 'X-Offerline-Digest': 'weekly', 'X-Offerline-Day': '2026-05-05' });
  expect(week.id).not.toBe(mailOf({}).id);
});

test.each(languages())('%s: the subject fits, whatever the numbers, and nothing is left unsaid', (name) => {
  const language = openLanguage(name, 'Europe/Berlin');
  for (const count of [1, 2, 5, 21, 500]) {
    const suppliers = Array.from({ length: count }, (_, n) => ({ ...BAD, feed: `f${n}` }));
    const { subject, text, html } = mailOf({ every: 'weekly', suppliers, language, incidents: [incident()] });
    expect(subject.length).toBeLessThanOrEqual(78);
    expect(subject).not.toContain('…');
    expect(html).toContain(`<html lang="${name}">`);
    expect(text).not.toMatch(/[{}]|undefined|NaN/);
  }
});

test('German, Polish and Russian count as those languages do', () => {
  const two = [BAD, supplier()];
  expect(mailOf({ suppliers: two, language: openLanguage('de') }).text).toContain(
    'Weser AG: 600 Teile online [##########xxxxxxxxxx]\n  Die Lieferung ist überfällig. Bitten Sie den Lieferanten um die Datei.\n  −601 seit gestern · 601 Zeilen abgewiesen (50\u00a0%)',
  );
  const polish = mailOf({ suppliers: two, language: openLanguage('pl') });
  expect(polish.subject).toBe('1 z 2 dostawców wymaga uwagi');
  expect(polish.text).toContain(
    'Weser AG: 600 części online [##########xxxxxxxxxx]\n  Przesyłka danych się spóźnia. Poproś dostawcę o plik.\n  −601 od wczoraj · odrzucono 601 wierszy (50%)',
  );
  expect(mailOf({ suppliers: two, language: openLanguage('ru') }).subject).toBe('1 из 2 поставщиков требует внимания');
});

test('suppliers that stand alike are in the alphabetical order of the reader', () => {
  const suppliers = ['Zorza', 'Łożyska', 'Lampy', 'Części'].map((name, n) => supplier({ feed: `f${n}`, name }));
  const places = (language: string) => {
    const { text } = mailOf({ suppliers, language: openLanguage(language) });
    return suppliers.map(({ name }) => name).toSorted((a, b) => text.indexOf(`${a}:`) - text.indexOf(`${b}:`));
  };
  expect(places('pl')).toEqual(['Części', 'Lampy', 'Łożyska', 'Zorza']);
});

test('500 suppliers and incidents: the worst are shown and the others counted, in less than 100 kB', () => {
  const name = '<&"\u202e> Ходовая часть '.repeat(5).slice(0, 100);
  const suppliers = Array.from({ length: 500 }, (_, n) =>
    supplier({ feed: `f${n}`, name: `${n} ${name}`, live: n % 3 }),
  );
  const incidents = Array.from({ length: 500 }, (_, n) => incident({ supplier: `${n} ${name}` }));
  const { html, text } = mailOf({ suppliers, incidents, language: openLanguage('ru') });
  expect(Buffer.byteLength(html)).toBeLessThan(100_000);
  expect(Buffer.byteLength(text)).toBeLessThan(100_000);
  expect(text).toMatch(/и ещё \d+ поставщик\S*, внимания требуют \d+/);
  expect(text.match(/^- /gm)?.length).toBeGreaterThan(20);
});

test('names from outside stay text in every part', () => {
  const name = 'A<b>\r\nBcc: x@example.com\u202e=1+1';
  const { subject, html, text } = mailOf({
    suppliers: [supplier({ name, incident: OF_SEVERITY.high })],
    incidents: [incident({ supplier: name })],
  });
  expect(subject).toBe('1 of 1 supplier needs attention');
  expect(html).not.toContain('<b>\r');
  expect(html).not.toContain('\u202e');
  expect(text).toContain('- A<b>\\u{d}\\u{a}Bcc: x@example.com\\u{202e}=1+1: 1,201 parts online');
});

test('the HTML loads nothing, knows the dark and speaks to screen readers of what the bar shows', () => {
  const { html } = mailOf({ suppliers: [BAD], sandbox: true });
  expect(html).not.toMatch(/\b(?:src|href|url\()/);
  expect(html).toContain('prefers-color-scheme:dark');
  expect(html).toContain('601 rows rejected (50%)');
  expect(html).toContain('SANDBOX');
  expect(html).toContain('<td bgcolor="#c22f2f" width="50%"');
});

test('an age is never less than a minute', () => {
  expect(mailOf({ suppliers: [supplier({ deliveredAt: NOW + HOUR })] }).text).toContain('last delivery 1 minute ago');
});

test('few of many rows are not said to be none, and what may not be online has no bar', () => {
  const few = supplier({ live: 961_969, file: { read: 962_000, rejected: 31, leftOut: 0 } });
  const { text } = mailOf({ suppliers: [few, supplier({ live: null })] });
  expect(text).toContain('[###################x]');
  expect(text).toContain('31 rows rejected (< 0.1%)');
  expect(text).toContain('- Rhein GmbH: not certain what is online\n');
});

test.each([
  ['en', '12 rows left out by our rules', '1 row left out by our rules'],
  ['de', '12 Zeilen durch unsere Regeln ausgelassen', '1 Zeile durch unsere Regeln ausgelassen'],
  ['pl', '12 wierszy pominiętych przez nasze reguły', '1 wiersz pominięty przez nasze reguły'],
  ['ru', '12 строк исключено нашими правилами', '1 строка исключена нашими правилами'],
])(
  '%s: rows that rules left out are counted apart from those that were rejected, and are no reason to worry',
  (name, many, one) => {
    const language = openLanguage(name, 'UTC');
    const ruled = (leftOut: number) => supplier({ live: 1189, file: { read: 1201, rejected: 0, leftOut } });
    for (const every of ['daily', 'weekly'] as const) {
      const { text, html } = mailOf({ every, language, suppliers: [ruled(12)] });
      expect(text).toContain(` · ${many} · `);
      expect(html).toContain(many);
      expect(mailOf({ every, language, suppliers: [ruled(1)] }).text).toContain(` · ${one} · `);
    }
    expect(mailOf({ language, suppliers: [ruled(12)] }).subject).toBe(mailOf({ language }).subject);
    expect(mailOf({ language }).text).not.toContain(many.replace('12 ', '0 '));
  },
);

test('only ops are told what the program says of it, and the command', () => {
  const incidents = [incident()];
  const managers = mailOf({ incidents });
  const ops = mailOf({ incidents, audience: 'ops' });
  for (const part of ['text', 'html'] as const) {
    expect(managers[part]).not.toMatch(/offerline incidents|50 h/);
    expect(ops[part]).toContain('offerline incidents');
    expect(ops[part]).toContain('a delivery is missing — nothing came for 50 h');
  }
  expect(mailOf({ audience: 'ops' }).text).toBe(mailOf({}).text);
});
