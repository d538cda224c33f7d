import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, type Option } from 'commander';
import { expect, test } from 'vitest';
import type { Io } from '../../src/cli/io.ts';

/** No command of these is run. */
const IO = {} as Io;

/** Every option of every command, those of `user add` and the like included. */
async function allOptions(): Promise<{ command: string; option: Option }[]> {
  const program = new Command('offerline');
  for (const file of globSync('src/cli/*/*.ts')) {
    if (!readFileSync(file, 'utf8').includes('export function define(')) continue;
    ((await import(resolve(file))) as { define: (program: Command, io: Io) => void }).define(program, IO);
  }
  const below = (command: Command): Command[] => [command, ...command.commands.flatMap(below)];
  return program.commands
    .flatMap(below)
    .flatMap((command) => command.options.map((option) => ({ command: command.name(), option })));
}

test('a default is shown as it is written: what the help says can be typed, and gives it', async () => {
  const withDefault = (await allOptions()).filter(({ option }) => option.defaultValue !== undefined);
  expect(withDefault.map(({ command }) => command)).toEqual(expect.arrayContaining(['scorecard', 'runs', 'sandbox']));
  const wrong = withDefault.flatMap(({ command, option }) => {
    const shown = String(option.defaultValueDescription ?? option.defaultValue);
    const typed = typedBy(option, shown);
    return typed === option.defaultValue ? [] : [`${command} ${option.flags}: ${shown}`];
  });
  expect(wrong).toEqual([]);
});

function typedBy({ parseArg }: Option, text: string): unknown {
  try {
    return parseArg === undefined ? text : parseArg(text, undefined);
  } catch (error) {
    return error;
  }
}
