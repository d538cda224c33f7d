/** Refuses words that offerline does not use where people read: `npm run check:words`. Code in backquotes and blocks is left alone. */
import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const ROOT = new URL('../', import.meta.url).pathname;

/** What is not written, and what is written instead. The glossary has the terms; this list stays short. */
const WORDS: [refused: RegExp, instead: string][] = [
  [/\bneeds? (?:somebody|anybody)\b/iu, 'needs attention'],
  [/\b(?:nobody|somebody) is needed\b/iu, 'nothing needs attention; needs attention'],
  [/\bproved?\b/iu, 'verified, verify'],
  [/\bis met by\b/iu, 'is fulfilled by'],
  [/\blooked at (?=\{|\d)/iu, 'last checked'],
  [/\bwhat stands for (?:it|them)\b/iu, 'the name of the thing'],
  [/\bat work\b/iu, 'in progress, running'],
];

const PAGES = ['README.md', 'docs/*.md', 'docs/reference/*.md', 'locales/en.json'];

const found = globSync(PAGES, { cwd: ROOT }).flatMap((file) => {
  const text = readFileSync(`${ROOT}${file}`, 'utf8').replaceAll(/^```[^]*?^```/gmu, (code) =>
    code.replaceAll(/[^\n]/gu, ' '),
  );
  return text.split('\n').flatMap((line, at) => {
    const read = file.endsWith('.json') ? line.replace(/^\s*"[^"]*":/u, '') : line;
    const prose = read.replaceAll(/`[^`]*`|\]\([^)]*\)/gu, ' ');
    return WORDS.flatMap(([refused, instead]) => {
      const word = refused.exec(prose)?.[0];
      return word === undefined ? [] : `${relative(ROOT, `${ROOT}${file}`)}:${at + 1}: “${word}”: write ${instead}`;
    });
  });
});
if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
