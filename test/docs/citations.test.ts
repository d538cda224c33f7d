import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const pages = globSync('**/*.md', { exclude: (path) => /(^|\/)(node_modules|\.offerline)$/.test(path) });
const sources = globSync('{src,test,scripts,bench,kernel,lib,bin,config,examples}/**/*.{ts,mjs,js,yaml}');
const records = globSync('docs/decisions/[0-9]*.md').sort();

test('every path of the repository that the documentation names exists', () => {
  expect(pages.flatMap((page) => pathsIn(page).filter(isMissing).map(at(page)))).toEqual([]);
});

test('docs/ARCHITECTURE.md has every room of src and of src/jobs on its map', () => {
  const named = codeIn('docs/ARCHITECTURE.md');
  const rooms = globSync(['src/*', 'src/jobs/*'], { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const paths = rooms.map(({ parentPath, name }) => relative('.', join(parentPath, name)));
  expect(paths.filter((path) => !named.includes(path))).toEqual([]);
});

test("every file that a room's README names is in the room, or in the repository", () => {
  const readmes = pages.filter((page) => /^(src|kernel|test)\/.*README\.md$/.test(page));
  const missing = readmes.flatMap((page) => {
    const named = codeIn(page).filter((code) => /^[\w.-]+(\/[\w.-]+)*(\.ts|\/)$/.test(code));
    return named.filter((name) => isMissing(join(dirname(page), '**', name)) && isMissing(name)).map(at(page));
  });
  expect(missing).toEqual([]);
});

test('every page of the documentation that the code cites exists', () => {
  const cited = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?<!\/)\bdocs\/[\w/-]+(?:\.md)?/g)].map(([path]) => ({ file, path })),
  );
  expect(cited.length).toBeGreaterThan(10);
  expect(cited.filter(({ path }) => !existsSync(path))).toEqual([]);
});

describe('the decisions', () => {
  const index = readFileSync('docs/decisions/README.md', 'utf8');

  test('are at most 40, each with a number of its own: what belongs together is one record', () => {
    const numbers = records.map((record) => basename(record).slice(0, 3));
    expect(records.length).toBeLessThanOrEqual(40);
    expect(numbers).toEqual([...new Set(numbers)]);
  });

  test('have a subject, a status, dates and three parts', () => {
    expect(records.filter((record) => headOf(record) === null)).toEqual([]);
    const parts = ['Context', 'Choice', 'Consequence'];
    const lacking = records.filter((record) =>
      parts.some((part) => !new RegExp(`^\\*\\*${part}[.:]`, 'm').test(readFileSync(record, 'utf8'))),
    );
    expect(lacking).toEqual([]);
  });

  test('are listed in the index as they say of themselves', () => {
    const listed = index.matchAll(/^- (\d{3} \[.*?\]\(.*?\)): (.*?), decided (\S+), revised (\S+)$/gm);
    const told = records.map((record) => {
      const { subject, rest } = headOf(record) ?? { subject: '', rest: [] };
      return [`${basename(record).slice(0, 3)} [${subject}](${basename(record)})`, rest.join(' ')];
    });
    expect([...listed].map(([, link, ...rest]) => [link, rest.join(' ')])).toEqual(told);
  });

  test('are cited by their own numbers', () => {
    const cited = pages.flatMap((page) =>
      [
        ...readFileSync(page, 'utf8').matchAll(/\[(?:[Dd]ecision )?0*(\d+)\]\((?:[\w./-]*\/)?(\d{3})-[\w-]+\.md\)/g),
      ].map(([link, said, number]) => ({ page, link, said: Number(said), number: Number(number) })),
    );
    expect(cited.length).toBeGreaterThan(5);
    expect(cited.filter(({ said, number }) => said !== number)).toEqual([]);
  });
});

/** Paths of the repository's folders that a page has in backquotes; they may have wildcards. */
function pathsIn(page: string): string[] {
  return codeIn(page).filter((code) =>
    /^(src|test|docs|scripts|bench|kernel|bin|lib|examples|\.ci)\/[^\s…]*$/.test(code),
  );
}

function codeIn(page: string): string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^```[^]*?^```/gm, '');
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
}

function isMissing(path: string): boolean {
  return globSync(path).length === 0;
}

function at(page: string): (path: string) => string {
  return (path) => `${page}: ${path}`;
}

/** Subject, status and dates at the head of a record. */
function headOf(record: string): { subject: string; rest: string[] } | null {
  const pattern =
    /^# \d+\. (.*)\n\n\*\*Status:\*\* (.*?) · \*\*Decided:\*\* (\d{4}-\d\d-\d\d) · \*\*Revised:\*\* (\d{4}-\d\d-\d\d)\n/;
  const found = pattern.exec(readFileSync(record, 'utf8'));
  return found === null ? null : { subject: found[1]!, rest: found.slice(2) };
}
