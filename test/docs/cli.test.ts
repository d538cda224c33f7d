import { listedOn } from '../../scripts/generate/listed.ts';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exitOf } from '../../src/cli/running/exit-of.ts';
import { STATUS } from '../../src/errors.ts';
import type { Outcome } from '../../src/model.ts';
import { runAnswer } from '../support/answers.ts';
import { playCommand } from '../support/play-command.ts';

/** The exit status of each outcome, without --strict. */
const OUTCOMES = {
  live: 0,
  partial: 0,
  unchanged: 0,
  nothing: 0,
  held: 3,
  rejected: 3,
  failed: 4,
} satisfies Record<Outcome, number>;

const page = readFileSync('docs/reference/cli.md', 'utf8');
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);
sections.delete('Exit status');
sections.delete('Commands that only read');
sections.delete('How far the work is');
const answers = sections.get('JSON answers') ?? '';
sections.delete('JSON answers');

test('docs/reference/cli.md has a section for every command, and no others', async () => {
  expect([...sections.keys()].sort()).toEqual((await commandsOf([])).sort());
});

test('each section names the arguments and options of its command, and no others', async () => {
  const documented = [...sections].map(([command, section]) => [
    command,
    [...section.matchAll(/^[-|] `(--[a-z-]+|[a-z]+)`[ :]/gm)].map(([, name]) => name),
  ]);
  const existing = await Promise.all(
    [...sections.keys()].map(async (command) => [command, inputsOf(await help(command.split(' ')))]),
  );
  expect(documented).toEqual(existing);
});

test('each section has an example of its command, and the overview a link to it', () => {
  const examples = [...sections].map(([command, section]) => [command, /```sh\n([^]*?)```/.exec(section)?.[1] ?? '']);
  expect(examples.filter(([command, example]) => !example!.includes(`offerline ${command}`))).toEqual([]);
  const links = [...sections.keys()].map((command) => `[\`${command}\`](#${command.replaceAll(' ', '-')})`);
  expect(links.filter((link) => !page.includes(link))).toEqual([]);
});

test('docs/reference/cli.md lists every exit status, and the outcomes that end with it', () => {
  const listed = new Map(
    listedOn('reference/cli.md')
      .filter(({ names }) => /^\d+$/.test(names[0]!))
      .map(({ names, text }) => [Number(names[0]), text]),
  );
  const statuses = new Set([0, 5, 6, ...Object.values(STATUS).map(({ exit }) => exit)]);
  for (const [outcome, status] of Object.entries(OUTCOMES) as [Outcome, number][]) {
    expect(exitOf(runAnswer({ outcome }), false)).toBe(status);
    expect(listed.get(status)).toContain(`\`${outcome}\``);
  }
  expect(exitOf(runAnswer({ outcome: 'partial' }), true)).toBe(5);
  expect([...listed.keys()]).toEqual([...statuses].sort((a, b) => a - b));
});

test("docs/reference/cli.md shows the run's answer with all its keys, and valid JSON in every example", () => {
  const examples = [...answers.matchAll(/```json\n([^]*?)```/g)].map(([, json]) => JSON.parse(json!) as object);
  expect(Object.keys(examples[0] ?? {}).sort()).toEqual(Object.keys(runAnswer({})).sort());
  expect(examples).toHaveLength(4);
});

/** The commands below a command, `config check` instead of `config`. */
async function commandsOf(parents: string[]): Promise<string[]> {
  const text = await help(parents);
  const listed = /\nCommands:\n([^]*?)(\n\n|$)/.exec(text)?.[1];
  if (listed === undefined) return [parents.join(' ')];
  // One with options of its own does something by itself.
  const own = parents.length > 0 && inputsOf(text).length > 0 ? [parents.join(' ')] : [];
  const names = [...listed.matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'help');
  return [...own, ...(await Promise.all(names.map((name) => commandsOf([...parents, name])))).flat()];
}

/** Arguments and options in the order of the help. */
function inputsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^(?:Arguments|Options):\n([^]*?)(?:\n\n|$(?![^]))/gm)].map(([, block]) => block!);
  const inputs = [...blocks.join('\n').matchAll(/^ {2}(?:-\w, )?(--[a-z-]+|[a-z]+)(?= )/gm)].map(([, name]) => name!);
  return inputs.filter((name) => name !== '--help');
}

/** Asked for one at a time: commands are played in this process. */
async function help(command: string[]): Promise<string> {
  const before = asking;
  const answer = before.then(() => playCommand([...command, '--help'], process.cwd(), process.env));
  asking = answer.catch(() => undefined);
  return (await answer).stdout;
}

let asking: Promise<unknown> = Promise.resolve();
