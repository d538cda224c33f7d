import { expect, test } from 'vitest';
import { collectCells, markOfAll } from '../../../src/web/live/cells.ts';
import { html } from '../../../src/wording/html.ts';

test('a cell stands in its page with its key and a mark of what it shows', () => {
  const { cell, cells } = collectCells();
  const { markup } = cell('rows', html`<b>${7}</b>`, 'td');
  expect([...cells]).toEqual([['rows', { markup: '<b>7</b>', mark: expect.stringMatching(/^[\w-]{12}$/u) }]]);
  expect(markup).toBe(`<td data-cell="rows" data-mark="${cells.get('rows')?.mark}"><b>7</b></td>`);
});

test('what comes from outside is escaped, in keys too', () => {
  const { cell } = collectCells();
  expect(cell('"><script>', '<script>').markup).not.toMatch(/<script>/u);
});

test('pages that show the same have one mark, whatever keys their forms were given', () => {
  const pageWith = (rows: string, key: string) => {
    const { cell, cells } = collectCells();
    cell('rows', rows);
    cell('form', html`<form><input type="hidden" name="once" value="${key}" /></form>`);
    return markOfAll(cells);
  };
  expect(pageWith('7', 'a')).toBe(pageWith('7', 'b'));
  expect(pageWith('7', 'a')).not.toBe(pageWith('8', 'a'));
});
