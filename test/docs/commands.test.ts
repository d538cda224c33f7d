import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// That docs/reference/cli.md has every command with its options, and no others, is known from cli.test.ts.
const reference = readFileSync('docs/reference/cli.md', 'utf8');
const options = new Map(
  reference
    .split(/^## /m)
    .slice(1)
    .map((section) => [
      section.slice(0, section.indexOf('\n')),
      [...section.matchAll(/^[-|] `(--[a-z-]+)`[ :]/gm)].map(([, name]) => name!),
    ]),
);
const EVERYWHERE = ['--config', '--home', '--help', '--version'];

test.each(globSync(['README.md', 'docs/*.md', 'docs/reference/*.md']).toSorted())(
  '%s names commands and options that exist',
  (page) => {
    const wrong = commandsIn(readFileSync(page, 'utf8')).filter(({ command, used }) => {
      const known = options.get(command) ?? [];
      return !options.has(command) || used.some((option) => ![...known, ...EVERYWHERE].includes(option));
    });
    expect(wrong).toEqual([]);
  },
);

/** The commands of offerline that a page has in blocks of a shell and in backquotes, with their options. */
function commandsIn(page: string): { line: string; command: string; used: string[] }[] {
  const blocks = [...page.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].flatMap(([, block]) => block!.split('\n'));
  const prose = page.replaceAll(/^ *```[^]*?^ *```$/gm, '');
  const inline = [...prose.matchAll(/`([^`]+)`/g)].map(([, code]) => code!.replaceAll('\n', ' '));
  return [...blocks, ...inline].flatMap((written) => {
    // What is run in a container need not be offerline.
    const line = written.replace(/docker compose exec \w+ /, '');
    const [, called] = /(?:^|[ /])offerline ((?!offerline )[a-z][^#|;&]*)/.exec(line) ?? [];
    if (called === undefined) return [];
    const words = called
      .replaceAll(/"[^"]*"|'[^']*'/g, 'TEXT')
      .trim()
      .split(/\s+/);
    const two = words.slice(0, 2).join(' ');
    const command = options.has(two) ? two : words[0]!;
    return [{ line, command, used: words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0]!) }];
  });
}
