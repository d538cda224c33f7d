import { describe, expect, test } from 'vitest';
import { misreadNumbers } from '../../../src/config/read/misread-numbers.ts';
import { parseConfigText } from '../../../src/config/read/document.ts';
import { showPath } from '../../../src/config/read/path.ts';
import { problemsOf } from '../config-file.ts';

/** What is said of a text that stands in a feed's settings. */
function found(text: string): string[] {
  return misreadNumbers(parseConfigText(text), ['feeds', 'north']).map(
    ({ path, message, at }) => `${showPath(path.slice(2))} ${message}${at === undefined ? '' : ` (${at})`}`,
  );
}

const rule = (when: string) => `rules: [{ name: x, when: ${when}, leaveOut: true }]`;
const WHEN = 'rules[0].when';

describe('a number that is not what is written', () => {
  test.each([
    ['0986424797', '986424797'],
    ['1E5', '100000'],
    ['12345678901234567890', '12345678901234567000'],
    ['0x1F', '31'],
    ['+49', '49'],
    ['7.0', '7'],
    ['.inf', 'Infinity'],
  ])('%s, which is read as %s', (written, read) => {
    const expected = `is read as the number ${read}; write it in quotes: "${written}"`;
    expect(found(rule(`{ oem: { is: ${written} } }`))).toEqual([`${WHEN}.oem.is ${expected}`]);
    expect(found(rule(`{ any: [{ not: { column: { Gruppe: { in: [1, ${written}] } } } }] }`))).toEqual([
      `${WHEN}.any[0].not.column.Gruppe.in[1] ${expected}`,
    ]);
  });

  test('and is a brand, a mark of changes, or stands in another place for this one', () => {
    const said = 'is read as the number 2; write it in quotes: "02"';
    expect(found('brands: { aliases: { 02: [TWO] } }')).toEqual([`brands.aliases.2 ${said} (key)`]);
    expect(found('change: { column: S, removed: [D, 02] }')).toEqual([`change.removed[1] ${said}`]);
    const list = `values: { keep: &codes [&two 02] }\nrules: [{ name: x, when: { any: [{ oem: { in: *codes } }, { oem: { is: *two } }] } }]`;
    expect(found(list)).toEqual([`${WHEN}.any[0].oem.in[0] ${said}`, `${WHEN}.any[1].oem.is ${said}`]);
  });

  test('of many in a list, the first are enough', () => {
    const many = Array.from({ length: 1000 }, (_, at) => `0${at % 10}`).join(', ');
    expect(found(rule(`{ oem: { in: [${many}] } }`))).toHaveLength(20);
  });
});

test.each([
  '{ oem: { is: 5 } }',
  '{ oem: { in: ["01", \'1E5\', 4711, -3, 2.5] } }',
  '{ stock: { is: 01 } }',
  '{ price: { below: 1.50, above: 0.10 } }',
  '{ column: { Preis: { below: 01.0 } } }',
  '{ column: { 02: { is: "x" } } }',
])('nothing is said of %s', (when) => expect(found(rule(when))).toEqual([]));

test('a column that is called as what is a number is a column', () => {
  expect(found(rule('{ column: { price: { is: 01 } } }'))).toHaveLength(1);
});

test('the configuration is refused with the line, and what follows from it is not said', async () => {
  const feeds = 'feeds:\n  north:\n    login: main\n    source: { type: directory, path: in }\n    rules:\n';
  const text = `logins: { main: {} }\n${feeds}      - { name: x, when: { oem: { is: 0986 } }, leaveOut: true }\n`;
  expect(await problemsOf(text)).toEqual([
    '7:39 feeds.north.rules[0].when.oem.is is read as the number 986; write it in quotes: "0986"',
  ]);
  expect(await problemsOf(text.replace('0986', '"0986"'))).toEqual([]);
});
