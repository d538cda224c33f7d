import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { scorecardCsv } from '../../../src/report/scorecard/csv.ts';
import { buildScorecardMail } from '../../../src/report/scorecard/mail.ts';
import { scoreSuppliers, type SupplierFacts } from '../../../src/report/scorecard/measure.ts';
import { scorecardPage } from '../../../src/report/scorecard/page.ts';
import { openLanguage } from '../../../src/wording/language/language.ts';
import { LANGUAGES } from '../../wording/managers/told.ts';

const DAY = 86_400_000;
const FROM = Date.UTC(2026, 3, 1);
const TO = Date.UTC(2026, 4, 1);

function supplier(feed: string, name: string, days: number[]): SupplierFacts {
  const deliveries = days.map((day) => ({
    run: `run-${feed}-${day}`,
    at: FROM + day * DAY,
    outcome: 'live' as const,
    read: 1200,
    rejected: day % 7 === 0 ? 60 : 0,
    restructured: false,
  }));
  const arrivals = deliveries.map(({ run, at }) => ({ run, at }));
  const now = { from: FROM, to: TO, last: FROM - DAY, arrivals, deliveries, problems: [] };
  return {
    feed,
    name,
    expected: { every: 2 * DAY },
    stops: [],
    known: feed === 'north' ? { share: 0.93, from: 0.86, to: 0.97 } : null,
    now,
    before: { ...now, arrivals: [], deliveries: [] },
  };
}

const SCORES = scoreSuppliers([
  supplier('north', 'Nord Teile', [0, 1, 2, 3, 5, 7, 14]),
  supplier('evil', '=cmd|"/c calc"!A1<script>\u202e', [1, 9, 21]),
  supplier('new', 'Neu', [28]),
]);

function input(name = 'en', scores = SCORES) {
  return { from: FROM, to: TO, scores, language: openLanguage(name), sandbox: false };
}

test('the CSV has a row for each supplier, and no formula', () => {
  const rows = parse<Record<string, string>>(scorecardCsv(input()), { bom: true, columns: true });
  expect(rows.map(({ rank, feed }) => [rank, feed])).toEqual([
    ['1', 'north'],
    ['2', 'evil'],
    ['', 'new'],
  ]);
  expect(rows[1]?.['supplier']).toMatch(/^'=cmd/);
  expect(rows[0]).toMatchObject({
    deliveries: '7',
    from: '2026-04-01T00:00:00.000Z',
    trend: '',
    'known to the search': '0.93',
  });
});

describe.each(LANGUAGES)('in %s', (name) => {
  test('the page has ranks, every definition and the runs behind each number, and nothing from outside', () => {
    const page = scorecardPage(input(name));
    expect(page).toContain(`<html lang="${name}">`);
    for (const shown of ['Nord Teile', 'run-north-14', '&lt;script&gt;']) expect(page).toContain(shown);
    expect(page).not.toMatch(/<script|https?:|undefined|null/);
    expect(page.match(/<dd>/g)?.length).toBe(8);
  });

  test('the mail has the scores in both parts and the CSV', () => {
    const mail = buildScorecardMail(input(name), '2026-05-01', { from: 'a@x.de', to: 'b@x.de' });
    for (const part of [mail.text, mail.html]) expect(part).toContain('Nord Teile');
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(['scorecard-2026-05-01.csv']);
    expect(mail.subject.length).toBeLessThanOrEqual(78);
    expect(mail.html).not.toContain('<script');
  });
});

test('suppliers of the same rank, and those without one, are in the alphabetical order of the reader', () => {
  const names = ['Zorza', 'Łożyska', 'Lampy', 'Części'];
  const scores = scoreSuppliers(names.map((name, at) => supplier(`f${at}`, name, at % 2 === 0 ? [0, 1, 2] : [1])));
  const sorted = ['1. Lampy', '1. Zorza', 'Części', 'Łożyska'];
  const mail = buildScorecardMail(input('pl', scores), '2026-05-01', { from: 'a@x.de', to: 'b@x.de' });
  expect([...mail.text.matchAll(/^- (.+?):/gmu)].map(([, name]) => name)).toEqual(sorted);
  const page = scorecardPage(input('pl', scores));
  const places = ['Lampy', 'Zorza', 'Części', 'Łożyska'].map((name) => page.indexOf(`<bdi>${name}</bdi>`));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('the mail of 500 suppliers has less than 100 kB of HTML, and says how many are left out', () => {
  const many = Array.from({ length: 500 }, (_, at) =>
    supplier(`f${at}`, `Лиферант ${'x'.repeat(80)} ${at}`, [0, 1, 2]),
  );
  const mail = buildScorecardMail(input('ru', scoreSuppliers(many)), '2026-05-01', { from: 'a@x.de', to: 'b@x.de' });
  expect(Buffer.byteLength(mail.html)).toBeLessThan(100_000);
  expect(mail.text).toContain('и ещё 440');
});
