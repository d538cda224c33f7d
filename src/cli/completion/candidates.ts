import type { Command, Option } from 'commander';
import { OPERATIONS } from '../../service/operations.ts';
import { parametersOf } from '../../service/operation/parameters.ts';
import { findOperation, shownName } from '../api/find-operation.ts';

/** Where the cursor is: the command so far, its arguments before the word, and the option whose value the word is. */
type Place = { command: Command; given: string[]; option: Option | undefined; words: string[]; env: NodeJS.ProcessEnv };

/** Commands whose `name` is not that of a feed or login. */
const OF_ACCESS = ['user', 'token'];

/** The words that can stand for the last one; none where a file, a number or a text is wanted. `env` names the configuration. */
export async function candidates(program: Command, words: string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const word = words.at(-1) ?? '';
  const place = placeOf(program, words.slice(0, -1), env);
  return (await known(place, word)).filter((candidate) => candidate.startsWith(word));
}

function placeOf(program: Command, before: string[], env: NodeJS.ProcessEnv): Place {
  const place: Place = { command: program, given: [], option: undefined, words: before, env };
  for (const word of before) {
    if (place.option !== undefined) place.option = undefined;
    else if (word.startsWith('-'))
      place.option = optionsOf(place.command).find((one) => [one.long, one.short].includes(word) && takesValue(one));
    else {
      const inner = place.given.length === 0 ? place.command.commands.find((one) => one.name() === word) : undefined;
      if (inner === undefined) place.given.push(word);
      else place.command = inner;
    }
  }
  return place;
}

async function known({ command, given, option, words, env }: Place, word: string): Promise<string[]> {
  if (option !== undefined) {
    if (option.attributeName() === 'param') return parameters(given[0] ?? '', word);
    return option.argChoices ?? (await names(option.attributeName(), words, env));
  }
  if (word.startsWith('-')) return optionsOf(command).flatMap((one) => one.long ?? []);
  const commands = command.commands.map((one) => one.name());
  if (commands.length > 0 && given.length === 0) return commands;
  const wanted = command.registeredArguments[given.length];
  if (wanted === undefined) return [];
  // Users and tokens have names of their own.
  const isOfConfig = !OF_ACCESS.includes(command.parent?.name() ?? '');
  return wanted.argChoices ?? (isOfConfig ? await names(wanted.name(), words, env) : []);
}

/** What an argument or option of a name can be. */
async function names(what: string, words: string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  if (what === 'operation') return [...OPERATIONS.values()].filter(({ repeatable }) => repeatable).map(shownName);
  if (!['feed', 'feeds', 'login', 'name'].includes(what)) return [];
  const { loadConfig } = await import('../../config/load.ts');
  const { config } = await loadConfig({ file: valueOf('--config', words), env });
  const [feeds, logins] = [Object.keys(config.feeds), Object.keys(config.logins)];
  if (what === 'name') return [...new Set([...feeds, ...logins])];
  return what === 'login' ? logins : feeds;
}

/** Names of an operation's parameters, and after the "=" the words that one can be. */
function parameters(name: string, word: string): string[] {
  const all = parametersOf(findOperation(name).parameters);
  const at = word.indexOf('=');
  if (at === -1) return all.map((parameter) => `${parameter.name}=`);
  const chosen = all.find((parameter) => parameter.name === word.slice(0, at));
  return (chosen?.kind.choices ?? []).map((choice) => `${word.slice(0, at)}=${choice}`);
}

/** A command's options and those that every command has. */
function optionsOf(command: Command): readonly Option[] {
  const above = command.parent === null ? [] : optionsOf(command.parent);
  return [...command.options, ...above];
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

function valueOf(option: string, words: string[]): string | undefined {
  const at = words.indexOf(option);
  return at === -1 ? undefined : words[at + 1];
}
