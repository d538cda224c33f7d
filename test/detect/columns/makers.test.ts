import { readFileSync } from 'node:fs';
import { assert, boolean, constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makerGroups, makerIndex } from '../../../scripts/generate/maker-index.ts';
import { isOtherMaker } from '../../../src/detect/columns/makers/same-maker.ts';
import { isNoMakerEvidence, makerKind, makersWith } from '../../../src/detect/columns/makers.ts';

const LISTS = ['parts', 'vehicles', 'no-makers'] as const;

describe('the lists of makers', () => {
  test.each(LISTS)('%s has one maker per line, its spellings apart by "="', (list) => {
    const malformed = linesOf(list).filter((line) => {
      return line.split(' = ').some((name) => !/^[^=?]+\??$/.test(name) || name.trim() !== name);
    });
    expect(malformed).toEqual([]);
  });

  test.each(LISTS)('%s says nothing twice', (list) => {
    const names = linesOf(list).flatMap((line) => line.split(' = '));
    const folded = names.map((name) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ''));
    expect(names.filter((_, at) => folded.indexOf(folded[at]!) !== at)).toEqual([]);
  });

  test('every spelling is found, or no evidence', () => {
    const names = (['parts', 'vehicles'] as const).flatMap((list) => spellingsOf(list));
    expect(names.filter((name) => makerKind(name) === null && !isNoMakerEvidence(name))).toEqual([]);
    expect(spellingsOf('no-makers').filter((name) => !isNoMakerEvidence(name))).toEqual([]);
  });

  test('src/detect/columns/makers/index.json is up to date: `npm run generate` writes it', () => {
    const file = new URL('../../../src/detect/columns/makers/index.json', import.meta.url);
    expect(readFileSync(file, 'utf8')).toBe(makerIndex());
  });

  test('src/detect/columns/makers/groups.json is up to date: `npm run generate` writes it', () => {
    const file = new URL('../../../src/detect/columns/makers/groups.json', import.meta.url);
    expect(readFileSync(file, 'utf8')).toBe(makerGroups());
  });

  test('they are as long as the trade needs', () => {
    expect(linesOf('parts').length).toBeGreaterThan(1500);
    expect(linesOf('vehicles').length).toBeGreaterThan(500);
  });
});

describe('another maker', () => {
  test.each([
    ['BOSCH', 'ATE', true],
    ['Robert Bosch GmbH', 'bosch', false],
    ['Bosch GmbH', 'ROBERT BOSCH', false],
    ['Lemfoerder', 'LEMFÖRDER', false],
    ['МЕРСЕДЕС', 'Mercedes-Benz', false],
    ['VAG', 'VW', false],
    ['VAG', 'BMW', true],
    ['KNECHT/MAHLE', 'MAHLE', false],
    ['KNECHT/MAHLE', 'BOSCH', true],
    ['BOSCH', 'My Own Brand', true],
    ['My Own Brand', 'BOSCH', false],
    ['MB', 'VW', false],
    ['Optimal', 'VW', false],
  ])('%s than %s: %s', (spelling, brand, is) => expect(isOtherMaker(spelling, brand)).toBe(is));
});

describe('a maker', () => {
  test.each([
    ['BOSCH', 'parts'],
    ['febi-bilstein', 'parts'],
    ['Lemförder', 'parts'],
    ['LEMFOERDER', 'parts'],
    ['lemforder', 'parts'],
    ['Robert Bosch GmbH', 'parts'],
    ['HANS PRIES (TOPRAN)', 'parts'],
    ['KNECHT/MAHLE', 'parts'],
    ['Topran/unheard of', 'parts'],
    ['Toyota', 'vehicles'],
    ['ТОЙОТА', 'vehicles'],
    ['Škoda', 'vehicles'],
    ['Mercedes Benz', 'vehicles'],
    ['Brake pad', null],
    ['Acme Widgets', null],
    ['12345', null],
    ['', null],
  ])('%s: %s', (cell, kind) => expect(makerKind(cell)).toBe(kind));

  test('that is in both lists makes both', () => {
    const vehicles = new Set(spellingsOf('vehicles'));
    const both = spellingsOf('parts').filter((name) => vehicles.has(name) && !isNoMakerEvidence(name));
    expect(both.filter((name) => makerKind(name) !== 'both')).toEqual([]);
  });
});

test.each(['Optimal', 'RING', 'Seat', '555', 'OEM', 'original', 'CHINA', 'No Name', 'б/н', 'n/a'])(
  '%s says nothing of its column',
  (cell) => {
    expect(isNoMakerEvidence(cell)).toBe(true);
    expect(makerKind(cell)).toBeNull();
  },
);

describe('any spelling of a maker', () => {
  const name = constantFrom(...spellingsOf('parts'), ...spellingsOf('vehicles'));

  test('is the same maker: case, blanks, punctuation and diacritics do not matter', () => {
    const gap = constantFrom('', ' ', '-', '.', '  ');
    assert(
      property(name, gap, boolean(), (spelling, between, lower) => {
        const bare = spelling
          .replaceAll(' ', between)
          .normalize('NFD')
          .replaceAll(/[\u0300-\u036F]/g, '');
        expect(makerKind(lower ? bare.toLowerCase() : bare)).toBe(makerKind(spelling));
      }),
    );
  });

  test('any cell has an answer', () => {
    assert(
      property(string({ unit: 'binary' }), (cell) => {
        expect([null, 'parts', 'vehicles', 'both']).toContain(makerKind(cell));
        expect(makerKind(` ${cell} `)).toBe(makerKind(cell));
      }),
    );
  });
});

function linesOf(list: string): string[] {
  const path = new URL(`../../../src/detect/columns/makers/${list}.txt`, import.meta.url);
  return readFileSync(path, 'utf8').trim().split('\n');
}

function spellingsOf(list: string): string[] {
  return linesOf(list).flatMap((line) => line.split(' = ').map((name) => name.replace('?', '')));
}

test('brands that are live are makers of parts where the lists say nothing else', () => {
  const { makerKind: kindOf } = makersWith(['Qorvax', 'TOYOTA', 'OEM', '4', 'X', '']);
  const cells = ['qorvax', 'Bosch', 'Toyota', 'OEM', '4', 'x', '', 'Zelmat'];
  expect(cells.map(kindOf)).toEqual(['parts', 'parts', makerKind('Toyota'), null, null, null, null, null]);
});
