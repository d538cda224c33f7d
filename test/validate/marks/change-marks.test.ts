import { expect, test } from 'vitest';
import { createMarkReader } from '../../../src/validate/marks/change-marks.ts';

const WRAPS = { backslashes: false, columns: [] };

function reader(marks: { set: string[] | null; removed: string[] } | null) {
  const changes = { place: 1, marks: marks === null ? null : { column: 'Status', ...marks } };
  const read = createMarkReader({ changes }, WRAPS);
  return (mark: string) => {
    const { removes, issue } = read({ cells: ['ATE', mark], line: 7, lastLine: 7, problem: null });
    return issue === null ? removes : issue;
  };
}

test('a mark removes its part, or sets it, whatever its case and the blanks around it', () => {
  const read = reader({ set: ['n', 'u'], removed: ['d'] });
  expect(['D', ' d ', 'N', 'u\u00a0'].map(read)).toEqual([true, true, false, false]);
});

test('a mark that no list has is an issue of its row', () => {
  expect(reader({ set: ['n'], removed: ['d'] })('X')).toMatchObject({ code: 'mark-unknown', line: 7, value: 'X' });
});

test('where only removals are marked all other marks set their parts', () => {
  const read = reader({ set: null, removed: ['gelöscht'] });
  expect(['GELÖSCHT', '', 'neu'].map(read)).toEqual([true, false, false]);
});

test('without a column of marks each row sets its part', () => {
  expect(reader(null)('D')).toBe(false);
});
