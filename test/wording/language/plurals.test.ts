import { describe, expect, test } from 'vitest';
import { openLanguage } from '../../../src/wording/language/language.ts';

/** None, one, few, many, a number that ends in one, and a fraction. */
const COUNTS = [0, 1, 2, 5, 21, 1.5];

const SAID = {
  en: {
    rows: '0 rows, 1 row, 2 rows, 5 rows, 21 rows, 1.5 rows',
    suppliers: '0 suppliers, 1 supplier, 2 suppliers, 5 suppliers, 21 suppliers, 1.5 suppliers',
    uploads: '0 uploads, 1 upload, 2 uploads, 5 uploads, 21 uploads, 1.5 uploads',
    customers: 'Customers cannot find 21 parts.',
  },
  de: {
    rows: '0 Zeilen, 1 Zeile, 2 Zeilen, 5 Zeilen, 21 Zeilen, 1,5 Zeilen',
    suppliers: '0 Lieferanten, 1 Lieferant, 2 Lieferanten, 5 Lieferanten, 21 Lieferanten, 1,5 Lieferanten',
    uploads: '0 Uploads, 1 Upload, 2 Uploads, 5 Uploads, 21 Uploads, 1,5 Uploads',
    customers: 'Kunden können 21 Teile nicht finden.',
  },
  ru: {
    rows: '0 строк, 1 строка, 2 строки, 5 строк, 21 строка, 1,5 строки',
    suppliers: '0 поставщиков, 1 поставщик, 2 поставщика, 5 поставщиков, 21 поставщик, 1,5 поставщика',
    uploads: '0 загрузок, 1 загрузка, 2 загрузки, 5 загрузок, 21 загрузка, 1,5 загрузки',
    customers: 'Покупатели не найдут 21 позицию.',
  },
  pl: {
    rows: '0 wierszy, 1 wiersz, 2 wiersze, 5 wierszy, 21 wierszy, 1,5 wiersza',
    suppliers: '0 dostawców, 1 dostawca, 2 dostawców, 5 dostawców, 21 dostawców, 1,5 dostawcy',
    uploads: '0 transferów, 1 transfer, 2 transfery, 5 transferów, 21 transferów, 1,5 transferu',
    customers: 'Klienci nie mogą znaleźć 21 części.',
  },
};

describe.each(Object.entries(SAID))('in %s', (name, said) => {
  const { say } = openLanguage(name);
  const each = (text: (count: number) => string) => COUNTS.map(text).join(', ');

  test('rows, suppliers and uploads are counted', () => {
    expect(each((count) => say('report.causes.rows', { count }))).toBe(said.rows);
    expect(each((count) => say('incident.several', { title: '', count }).slice(2))).toBe(said.suppliers);
    expect(each((count) => say('status.openUploads', { count }))).toBe(said.uploads);
  });

  test('a sentence agrees with its number', () => {
    expect(say('run.meaning.partial', { lost: 21 })).toBe(said.customers);
  });
});

test('verbs and participles of Polish agree with their number', () => {
  const { say } = openLanguage('pl');
  expect(COUNTS.map((count) => say('web.now.needed', { count }))).toEqual([
    '0 pozycji wymaga uwagi.',
    '1 pozycja wymaga uwagi.',
    '2 pozycje wymagają uwagi.',
    '5 pozycji wymaga uwagi.',
    '21 pozycji wymaga uwagi.',
    '1,5 pozycji wymaga uwagi.',
  ]);
  expect(COUNTS.map((count) => say('change.changed', { count }))).toEqual([
    '0 zmienionych',
    '1 zmieniona',
    '2 zmienione',
    '5 zmienionych',
    '21 zmienionych',
    '1,5 zmienionej',
  ]);
  expect(COUNTS.map((count) => say('incident.why.lane-failed', { count, moment: 'wczoraj' }))).toEqual([
    'Od wczoraj nie powiodło się 0 razy.',
    'Od wczoraj nie powiodło się 1 raz.',
    'Od wczoraj nie powiodło się 2 razy.',
    'Od wczoraj nie powiodło się 5 razy.',
    'Od wczoraj nie powiodło się 21 razy.',
    'Od wczoraj nie powiodło się 1,5 raza.',
  ]);
});

test('a sentence with two numbers agrees with both', () => {
  const { say } = openLanguage('pl');
  const subjects = COUNTS.map((attention) => say('digest.subject', { attention, suppliers: 21 }));
  expect(subjects).toEqual([
    'U wszystkich 21 dostawców wszystko w porządku',
    '1 z 21 dostawców wymaga uwagi',
    '2 z 21 dostawców wymaga uwagi',
    '5 z 21 dostawców wymaga uwagi',
    '21 z 21 dostawców wymaga uwagi',
    '1,5 z 21 dostawców wymaga uwagi',
  ]);
});
