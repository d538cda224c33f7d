import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RowRule } from '../../../src/model.ts';
import { validate } from '../../../src/validate/validate.ts';
import { dialect, plainSettings } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const RULES: RowRule[] = [
  {
    name: 'express',
    when: { field: 'brand', asks: { test: 'in', values: ['BOSCH'] } },
    does: 'change',
    add: ['express'],
    remove: [],
    set: { name: 'Bosch part' },
  },
  { name: 'no stock', when: { field: 'stock', asks: { test: 'below', value: 1 } }, does: 'leave-out' },
  { name: 'never', when: { field: 'brand', asks: { test: 'in', values: ['NOBODY'] } }, does: 'leave-out' },
];

/** What reading a list with rules comes to, with examples of each rule. */
async function examplesIn(rows: string[], most: number | undefined) {
  const folder = tempFolder();
  const path = join(folder, 'a.csv');
  writeFileSync(path, `brand;oem;name;tags;stock\n${rows.join('\n')}\n`);
  const rulePlan = { price: null, stock: 4, columns: {}, marks: {} };
  const { rules, ruleExamples } = await validate({
    path,
    detection: dialect({ columns: ['brand', 'oem', 'name', 'tags', 'stock'] }),
    settings: plainSettings({ rules: RULES, rulePlan }),
    rowsPath: join(folder, 'rows'),
    issuesPath: join(folder, 'issues'),
    ruleExamples: most,
  });
  return { rows: rules?.rules.map((one) => one.rows), ruleExamples };
}

test('the first rows of each rule are shown: their lines, their parts as they are written, and what the rule changes', async () => {
  const rows = ['bosch;1-1;Pads;;5', 'ATE;2;Disc;;0', 'BOSCH;1 1;Again;a;0', 'BOSCH;3;Pads;express;5', 'BOSCH;4;;;5'];
  const { rows: acted, ruleExamples } = await examplesIn(rows, 2);
  expect(acted).toEqual([4, 2, 0]);
  expect(ruleExamples).toEqual([
    [
      {
        sheet: null,
        line: 2,
        part: 'bosch 1-1',
        cells: [
          { column: 'name', before: 'Pads', after: 'Bosch part' },
          { column: 'tags', before: '', after: 'express' },
        ],
      },
      // A later rule leaves it out.
      {
        sheet: null,
        line: 4,
        part: 'BOSCH 1 1',
        cells: [
          { column: 'name', before: 'Again', after: 'Bosch part' },
          { column: 'tags', before: 'a', after: 'a,express' },
        ],
      },
    ],
    [
      { sheet: null, line: 3, part: 'ATE 2', cells: [] },
      { sheet: null, line: 4, part: 'BOSCH 1 1', cells: [] },
    ],
    [],
  ]);
});

test('none are looked for unless somebody asks', async () => {
  expect(await examplesIn(['BOSCH;1;Pads;;5'], undefined)).toMatchObject({ rows: [1, 0, 0], ruleExamples: null });
});
