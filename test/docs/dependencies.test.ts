import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync('docs/decisions/002-dependencies.md', 'utf8');
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>;
const { dependencies = {}, optionalDependencies = {}, devDependencies = {}, overrides = {} } = manifest;
const firstWords = [...page.matchAll(/^- (`[^:]*):/gm)].map(([, words]) => words!).join(' ');

test('the decision on dependencies gives a reason for each of them, and for no other', () => {
  const reasoned = [...firstWords.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
  expect(reasoned.sort()).toEqual([...Object.keys(dependencies), ...Object.keys(optionalDependencies)].sort());
});

test('the decision on dependencies names what development needs, and what is overridden', () => {
  const names = [...Object.keys(devDependencies), ...Object.keys(overrides)];
  expect(names.filter((name) => !name.startsWith('@types/') && !page.includes(`\`${name}\``))).toEqual([]);
});
