import { expect, test } from 'vitest';
import { openHtml } from '../../src/tables/html/open-html.ts';
import { cellsOf, refusedFor, written } from '../tables/written-file.ts';
import { measuredCheck } from './measured-check.ts';
import { chosenOf } from '../support/suite/thirds.ts';

/* Pages that are cut: whatever is missing, no row is lost without a word. */

const ROWS = 12;
const LIST = `<table border="1"><caption>Stock &amp; prices</caption><thead><tr><th>brand</th><th>oem</th><th>name</th></tr></thead>
<tbody>${Array.from({ length: ROWS }, (_, at) => `<tr class="row"><td>BOSCH</td><td>0 986 42${at}</td><td>Pad <b>${at}</b> &lt;front&gt;</td></tr>\n`).join('')}</tbody></table>`;
const MENU = '<table id=menu><tr><td>Home</td><td>Cart</td></tr><tr><td>News</td><td>Help</td></tr></table>';

const PAGES = {
  'a page': `<!DOCTYPE html>\n<html><head><title>List</title><style>td { color: red }</style></head><body>\n${LIST}\n</body></html>`,
  'a table alone': LIST,
  'a table in another': `<html><body><table><tr><td>Prices</td><td>${LIST}</td></tr></table><script>"<td>"</script></body></html>`,
  'a list below a menu': `<html><body>${MENU}<!-- the list -->${LIST}<p>Regards</p></body></html>`,
  'what programs leave out': LIST.replaceAll(/<\/(?:td|tr|th|tbody|thead)>/g, ''),
};

test.each(Object.entries(PAGES))('%s that is cut at any place is refused, or has all its rows', async (_what, page) => {
  const open = (content: string) => openHtml(written(content));
  expect(await cellsOf(await open(page))).toHaveLength(ROWS + 1);
  const begin = page.indexOf('<table border');
  const few: number[] = [];
  let refused = 0;
  const ends = chosenOf(Array.from({ length: page.length - 1 }, (_, at) => at + 1));
  for (const end of ends) {
    const refusal = await refusedFor(() => open(page.slice(0, end)));
    if (refusal?.code === 'html-broken') refused++;
    // Before the list begins nobody can know that it is missing.
    if (refusal !== null || end <= begin) continue;
    if ((await cellsOf(await open(page.slice(0, end)))).length !== ROWS + 1) few.push(end);
  }
  expect(few).toEqual([]);
  expect(refused / ends.length).toBeGreaterThan(LIST.length / page.length / 2);
});

test('a page that is cut inside a cell is refused by check, with the line', async () => {
  const { answer } = await measuredCheck(
    'list.xls',
    PAGES['a page'].slice(0, PAGES['a page'].indexOf('0 986 428') + 4),
  );
  expect(answer).toMatchObject({ outcome: 'rejected', wouldBe: 'rejected' });
  expect(answer.reason).toBe(
    'list.xls is a web page that is cut: it ends inside a table (line 12), so its rest is missing. Ask for the whole file, and send it again.',
  );
});
