import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LoadedConfig, loadConfig } from '../../src/config/load.ts';
import type { Problem } from '../../src/config/read/problem.ts';
import { OfferlineError } from '../../src/errors.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Writes a configuration into a folder of its own and gives the file's path. */
export function configFile(text: string): string {
  const file = join(tempFolder(), 'offerline.yaml');
  writeFileSync(file, text);
  return file;
}

/** Loads a configuration that must be right. */
export function load(text: string, env: NodeJS.ProcessEnv = {}): Promise<LoadedConfig> {
  return loadConfig({ file: configFile(text), env });
}

/** What is wrong with a configuration, one line per problem without the file: `LINE:COL PATH message`. */
export async function problemsOf(text: string, env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const error: unknown = await load(text, env).catch((error: unknown) => error);
  if (!(error instanceof OfferlineError)) return [];
  const problems = error.details['problems'] as Problem[];
  return problems.map(({ line, column, path, message }) => `${line}:${column} ${path} ${message}`);
}
