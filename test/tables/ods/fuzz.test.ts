import { expect, test } from 'vitest';
import { openOds } from '../../../src/tables/ods/open-ods.ts';
import { damaged, random } from '../damage.ts';
import { refusedFor } from '../read-file.ts';
import { float, madeOds, numbers, row, table, text } from './made-ods.ts';

const RUNS = 400;

const styles = numbers('zeros', '<number:number number:min-integer-digits="5"/>');
const tables = table(
  '<table:table-column table:number-columns-repeated="3" table:default-cell-style-name="zeros"/>' +
    row(text('a<text:s/>b', 'table:number-columns-repeated="3"'), float('7')) +
    `<table:table-row table:number-rows-repeated="4">${float('1.5E+3')}</table:table-row>`,
);

test('damaged archives are read or refused', async () => {
  const next = random(20_260_301);
  const whole = madeOds({ styles, tables });
  const refused = new Set<unknown>();
  for (let run = 0; run < RUNS; run++) refused.add((await refusedFor(openOds, damaged(whole, next)))?.code);
  expect(refused).toContain('workbook-broken');
});

test('damaged contents are read or refused', async () => {
  const next = random(20_260_302);
  const content = Buffer.from(
    `<o><automatic-styles>${styles}</automatic-styles><spreadsheet>${tables}</spreadsheet></o>`,
  );
  let read = 0;
  for (let run = 0; run < RUNS; run++) {
    const parts = { 'content.xml': Buffer.from(damaged(content, next)).toString('latin1') };
    if ((await refusedFor(openOds, madeOds({ parts }))) === null) read++;
  }
  expect(read).toBeGreaterThan(RUNS / 20);
});
