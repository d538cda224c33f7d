import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { faultSchema, faultsSchema } from '../../src/sandbox/faults/schema.ts';
import { rowRules } from '../../src/sandbox/offers/process/rules.ts';
import { settingsSchema } from '../../src/sandbox/settings.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(`${root}/docs/sandbox.md`, 'utf8');
const faults = readFileSync(`${root}/docs/sandbox-faults.md`, 'utf8');

test('docs/sandbox.md lists the row rules, all and in their order', () => {
  const listed = [...page.matchAll(/^\| `([A-Z_]+)`\s*\|\s*(.*?)\s*\|$/gm)].map(([, code, meaning]) => ({
    code,
    meaning,
  }));
  expect(listed).toEqual(rowRules(settingsSchema.parse({})).map(({ code, meaning }) => ({ code, meaning })));
});

test('docs/sandbox.md shows every setting with its default', () => {
  const example = /## Settings[^]*?```yaml\n([^]*?)```/.exec(page)?.[1] ?? '';
  const { logins, ...shown } = parse(example) as Record<string, unknown>;
  expect(shown).toEqual(settingsSchema.parse({}));
  expect(settingsSchema.parse({ logins }).logins).toHaveLength(1);
});

test('the pages of the sandbox name every refusal', () => {
  const source = globSync(`${root}/src/sandbox/**/*.ts`)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const codes = [...source.matchAll(/new Refusal\(\s*\d+,\s*'([A-Z_]+)'/g)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(10);
  for (const code of codes) expect(`${page}${faults}`).toContain(`\`${code}\``);
});

test('docs/sandbox-faults.md lists every fault with its own keys', () => {
  const common = ['fault', 'operation', 'login', 'file', 'nth', 'times', 'delay'];
  const list = /\n- `lose-reply`[^]*?\n\n/.exec(faults)?.[0] ?? '';
  const rows = [...list.matchAll(/^- `([a-z-]+)`:([^]*?)(?=\n- |\n\n)/gm)].map(([, kind, keys]) => ({ kind, keys }));
  const kinds = faultSchema.options.map(({ shape }) => ({ kind: shape.fault.value, keys: Object.keys(shape) }));
  expect(rows.map(({ kind }) => kind)).toEqual(kinds.map(({ kind }) => kind));
  for (const [at, { keys }] of kinds.entries()) {
    for (const key of keys.filter((key) => !common.includes(key))) expect(rows[at]?.keys).toContain(`\`${key}\``);
  }
  for (const key of common.slice(1)) expect(faults).toMatch(new RegExp(`^- \`${key}\`: `, 'm'));
});

test('the faults of docs/sandbox-faults.md and of examples/faults.yaml are understood', () => {
  const shown = /## Faults[^]*?```yaml\n([^]*?)```/.exec(faults)?.[1] ?? '';
  expect(faultsSchema.parse(parse(shown)).faults).toHaveLength(2);
  expect(faultsSchema.parse(parse(readFileSync(`${root}/examples/faults.yaml`, 'utf8'))).faults.length).toBeGreaterThan(
    4,
  );
});
