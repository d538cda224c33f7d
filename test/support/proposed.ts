import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load.ts';
import { runCli } from './run-cli.ts';
import { tempFolder } from './temp-folder.ts';

/** A feed as `init --json` answers it. */
type Feed = {
  feed: string;
  source: { pattern?: string; files?: object };
  entries?: unknown;
  entry?: string;
  join?: object;
  delivery?: object;
  change?: object;
  rules?: object[];
  notes: string[];
};

/** What `init` proposes for a folder, whose files came one after another, and the configuration that it writes, which is valid. */
export async function proposed(files: Record<string, string | Buffer>) {
  const folder = tempFolder();
  mkdirSync(join(folder, 'in'));
  for (const [at, [name, content]] of Object.entries(files).entries()) {
    writeFileSync(join(folder, 'in', name), content);
    utimesSync(join(folder, 'in', name), 1000 + at, 1000 + at);
  }
  const { stdout } = await runCli(['init', 'in', '--no-rehearse', '--json'], folder);
  const { feeds, config } = JSON.parse(stdout) as { feeds: Feed[]; config: string };
  const { config: loaded } = await loadConfig({ file: config, env: {} });
  return { feeds, loaded, config, text: readFileSync(config, 'utf8') };
}

/** A table of a header and rows, in lines. */
export function csv(header: string, rows: string[]): string {
  return [header, ...rows, ''].join('\n');
}

/** Numbers of parts as a maker of brakes writes them. */
export const numbers = Array.from({ length: 40 }, (_, at) => `13.0460-${7000 + at * 7}.2`);

/** A list of these parts. */
export const LIST = csv(
  'Brand;Article;Description',
  numbers.map((number) => `ATE;${number};Brake pads`),
);

/** The stock of some parts, which are written as people type them. */
export function stockOf(some: string[]): string {
  return csv(
    'Artikelnummer;Bestand',
    some.map((number, at) => `${number.replaceAll(/\W/gu, '')};${at % 7}`),
  );
}
