import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configurationMistakes, errorMessages } from '../../scripts/troubleshooting/error-messages.ts';
import { PAGE, troubleshootingPage } from '../../scripts/troubleshooting/page.ts';
import { STATUS } from '../../src/errors.ts';

test('docs/reference/troubleshooting.md is up to date: `npm run generate` writes it', async () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(await troubleshootingPage());
});

test('the messages of every kind of error are found in the source code', () => {
  const messages = errorMessages();
  const codes = Object.keys(STATUS) as (keyof typeof STATUS)[];
  expect(codes.filter((code) => (messages.get(code) ?? []).length === 0)).toEqual([]);
});

test.each([
  ['as they are written', 'conflict', 'Another prune is already running; try again when it has finished.'],
  [
    'with facts in them',
    'ledger',
    'The ledger … is damaged or not a ledger. Move it away and restore the last backup.',
  ],
  ['from a table', 'pull-failed', '… answered …: too many requests; ask for the file less often.'],
  [
    'from the callers of a function',
    'file-rejected',
    '… is encrypted: "…" needs a password. Set feeds.NAME.unpack.password, or ask for a file without one.',
  ],
] as const)('messages are found %s', (_, code, message) => {
  expect(errorMessages().get(code)).toContain(message);
});

test('mistakes in the configuration are found', () => {
  expect(configurationMistakes()).toEqual(
    expect.arrayContaining([
      'the environment variable … is not set; set it, or write ${…:-default}',
      'unknown time zone "…"; write one such as Europe/Berlin or UTC',
      'unknown key; …',
    ]),
  );
});

test('what the symptoms quote is said', () => {
  const page = readFileSync(PAGE, 'utf8');
  const quoted = [...page.slice(0, page.indexOf('<!-- Generated')).matchAll(/\*\*“(.*?)”\*\*/g)].map(
    ([, text]) => text!,
  );
  const said = [...errorMessages().values(), configurationMistakes()].flat();
  expect(quoted.length).toBeGreaterThan(5);
  const parts = (text: string) => text.split('…').map((part) => part.trim());
  expect(quoted.filter((text) => !said.some((one) => parts(text).every((part) => one.includes(part))))).toEqual([]);
});

test('every symptom of the index has its section', () => {
  const page = readFileSync(PAGE, 'utf8');
  const index = page.slice(0, page.indexOf('\n## '));
  const listed = [...index.matchAll(/\[([^\]]+)\]\(#/g)].map(([, title]) => title!);
  const sections = [...page.slice(0, page.indexOf('<!-- Generated')).matchAll(/^## (.*)$/gm)].map(
    ([, title]) => title!,
  );
  expect(sections.filter((title) => !listed.includes(title))).toEqual(['The log']);
});
