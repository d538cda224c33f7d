import { describe, expect, test } from 'vitest';
import { charsetShownBy, shownBy, writtenFiles } from '../../../src/jobs/read/shown-dialect.ts';
import type { Detection } from '../../../src/model.ts';
import { dialect, plainSettings } from '../../support/read-settings.ts';

const LIST = dialect({ charset: 'windows-1251', columns: ['Brand', 'Nr', 'Name'] });

/** A text that can be read in two ways. */
function open(changes: Partial<Detection> = {}): Detection {
  const readings = [
    { charset: 'windows-1252', delimiter: ',', rows: [] },
    { charset: 'windows-1251', delimiter: ';', rows: [] },
  ];
  return dialect({ sure: false, readings, ...changes });
}

describe('what others show', () => {
  test('is one of the ways in which a text can be read', () => {
    expect(shownBy([LIST], open(), plainSettings())).toEqual({ charset: 'windows-1251', delimiter: ';' });
    expect(shownBy([LIST], open({ readings: [] }), plainSettings())).toBeNull();
    const other = dialect({ charset: 'ibm866', delimiter: '|' });
    expect(shownBy([other], open(), plainSettings())).toBeNull();
  });

  test('is nothing that is set, and nothing in which they differ', () => {
    expect(shownBy([LIST], open(), plainSettings({ charset: 'koi8-r' }))).toEqual({ delimiter: ';' });
    const other = dialect({ charset: 'windows-1252', delimiter: ';' });
    expect(shownBy([LIST, other], open(), plainSettings())).toEqual({ delimiter: ';' });
    expect(charsetShownBy([LIST, other])).toBeUndefined();
    // ASCII is any of them, and a workbook has no charset.
    expect(charsetShownBy([LIST, dialect(), dialect({ format: 'xlsx', charset: 'utf-16le' })])).toBe('windows-1251');
  });

  test('is the header, beside which changes have the column of their marks', () => {
    const doubtful = open({ readings: [], headerSure: false, columns: ['brand', 'nr', 'name', 'Status'] });
    const marks = { column: 'Status', set: null, removed: ['d'] };
    const changes = plainSettings({ changes: { place: null, marks } });
    expect(shownBy([LIST], doubtful, changes)).toEqual({ header: 1 });
    expect(shownBy([LIST], doubtful, plainSettings())).toBeNull();
  });
});

test('of a delivery of several files each shows how it is written, of a joined one the list', () => {
  const files = [{ name: 'a.csv', line: 1, written: LIST, places: [] }];
  expect(writtenFiles(dialect({ format: 'files', files }))).toEqual([LIST]);
  expect(writtenFiles(dialect({ format: 'files', joined: { name: 'a.csv', written: LIST } }))).toEqual([LIST]);
  expect(writtenFiles(LIST)).toEqual([LIST]);
});
