import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const PAGE = readFileSync('docs/scaling.md', 'utf8');
const [, FIGURES = ''] = /^## Figures\n([^]*?)^## /mu.exec(PAGE) ?? [];

/** What stands below a command and its results, until the next one. */
const measured = [...FIGURES.matchAll(/`[^`]*npm run (bench:[\w-]+)[^`]*` \(\[(bench\/[\w-]+\.md)\]/gu)].map(
  (found, at, all) => ({
    command: found[1]!,
    file: found[2]!,
    text: FIGURES.slice(found.index, all[at + 1]?.index).replace(/^### [^]*/mu, ''),
  }),
);

/** Worked out from the others, and tested below. */
const OWN_WORK = '20.9';

const numbersOf = (text: string) => text.match(/\d[\d,]*(?:\.\d+)?/gu) ?? [];

describe('docs/scaling.md', () => {
  test('names a command and its results for every table of figures', () => {
    const tables = FIGURES.match(/^\| -+/gmu) ?? [];
    expect(tables.length).toBeGreaterThan(5);
    expect(measured.filter(({ text }) => /^\| -+/mu.test(text))).toHaveLength(tables.length);
  });

  test.each(measured)('has the figures of $file, which $command makes', ({ command, file, text }) => {
    const results = readFileSync(file, 'utf8');
    expect(results).toContain(`npm run ${command}`);
    const known = new Set(numbersOf(results));
    const figures = numbersOf(text.replaceAll(/`[^`]*`|\]\([^)]*\)/gu, ''));
    expect(figures.length).toBeGreaterThan(5);
    expect(figures.filter((figure) => !known.has(figure) && figure !== OWN_WORK)).toEqual([]);
  });

  test('adds up what offerline itself takes for a file', () => {
    const rows = readFileSync('bench/ingest-results.md', 'utf8').matchAll(/^\| ([a-z][^|]*) \| ([\d.]+) \|/gmu);
    const own = [...rows].filter(([, stage]) => stage !== 'search' && !stage!.endsWith('by the service'));
    expect(own.length).toBeGreaterThan(8);
    expect(own.reduce((sum, [, , seconds]) => sum + Number(seconds), 0).toFixed(1)).toBe(OWN_WORK);
    expect(PAGE).toContain(`offerline works for ${OWN_WORK} s`);
  });

  test('names figures of the console that there are', () => {
    const named = new Set([...PAGE.matchAll(/`offerline_(\w+)/gu)].map(([, name]) => name!));
    const source = readFileSync('src/web/pages/metrics.ts', 'utf8');
    expect(named.size).toBeGreaterThan(3);
    expect([...named].filter((name) => !source.includes(`'${name}'`))).toEqual([]);
  });
});
