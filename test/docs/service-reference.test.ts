import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { PAGE, serviceReference } from '../../scripts/service-reference/page.ts';
import { fieldsOf, recordsIn, typeOf } from '../../scripts/service-reference/shapes.ts';
import { parametersOf } from '../../src/service/operation/parameters.ts';
import { OPERATIONS } from '../../src/service/operations.ts';

const page = readFileSync(PAGE, 'utf8');

/** What the page says of an operation or record. */
const sectionOf = (title: string) => page.split(`\n### ${title}\n`)[1]?.split('\n### ')[0] ?? '';

test('docs/reference/service-reference.md is up to date: `npm run generate` writes it', async () => {
  expect(page).toBe(await serviceReference());
});

test.each([...OPERATIONS.values()])('$group.$name has its paths, parameters and reply', (operation) => {
  const section = sectionOf(`\`${operation.group}.${operation.name}\``);
  const { paths, parameters, reply } = operation;
  const names = parametersOf(parameters).map(({ name }) => `- \`${name}\``);
  expect([...paths, ...names].filter((word) => !section.includes(word))).toEqual([]);
  expect(section).toMatch(
    reply === 'file' ? /Gives a file/ : /Gives (?:a (?:page|record):\n\n- `|(?:list of )?\[\w+\]\(#)/,
  );
});

test('records are described once, with what may be missing and which words are known', () => {
  expect(page.match(/^### CatalogUnit$/gm)).toHaveLength(1);
  const row = (name: string) =>
    sectionOf('OfferRecord')
      .split('\n')
      .find((line) => line.startsWith(`- \`${name}\``));
  expect(row('state')).toMatch(/\(text: `created`, `queued`.* or another\)/);
  expect(row('error')).toMatch(/\(text; may be missing\): why the upload failed/);
  expect(sectionOf('QuickGroup')).toContain('list of [QuickGroup](#quickgroup)');
});

test('a schema is described through what is around it', () => {
  const inner = z.looseObject({ a: z.string().nullish(), b: z.array(z.number()) }).meta({ record: 'Inner' });
  const outer = z.object({ one: z.preprocess((given) => given, inner), all: z.array(inner).nullish() });
  expect(fieldsOf(outer)).toEqual([
    { name: 'one', type: '[Inner](#inner)', always: true },
    { name: 'all', type: 'list of [Inner](#inner)', always: false },
  ]);
  expect(recordsIn([outer])).toEqual([
    {
      name: 'Inner',
      fields: [
        { name: 'a', type: 'text', always: false },
        { name: 'b', type: 'list of number', always: true },
      ],
    },
  ]);
  expect(() => typeOf(z.date())).toThrow('no words for a schema of the type date');
});
