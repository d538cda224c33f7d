import { expect, test } from 'vitest';
import { detect } from '../../../src/detect/detect.ts';
import { plainSettings } from '../../support/read-settings.ts';
import { textFile } from '../../support/price-list.ts';

/** What is found between the values of a file whose numbers and tags are written in this way. */
async function marksOf(write: (value: string) => string) {
  const rows = Array.from(
    { length: 60 },
    (_, at) => `BOSCH;${write(`A${10_000 + at * 37},B${20_000 + at * 41}`)};${write('new|sale')}\n`,
  );
  const { columns } = plainSettings();
  const hints = { columns, tagSeparator: ',', maxTags: 20 };
  return (await detect(textFile(`brand;oem;tags\n${rows.join('')}`), hints)).marks;
}

test.each([
  ['nothing', (value: string) => value],
  ['formulas', (value: string) => `="${value}"`],
  ['quoted formulas', (value: string) => `"=""${value}"""`],
  ['apostrophes', (value: string) => `'${value}`],
  ['brackets', (value: string) => `[${value}]`],
  ['quotation marks', (value: string) => `«${value}»`],
])('several values of a cell are found with %s around them', async (_around, write) => {
  expect(await marksOf(write)).toMatchObject({
    numbers: { separators: [','], example: { line: 2, text: 'A10000,B20000' } },
    tags: { separator: '|' },
  });
});
