import { globSync, readFileSync } from 'node:fs';

const source = (file: string) => readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');

/** The names of variables that the program takes from its environment. */
export function variablesOfProgram(): ReadonlySet<string> {
  const texts = globSync('**/*.ts', { cwd: new URL('../../src/', import.meta.url) }).map(source);
  const read = texts.flatMap((text) =>
    [...text.matchAll(/\benv(?:\.|\[')([A-Z][A-Z_]+)\b/gu)].map(([, name]) => name!),
  );
  // Addresses of servers may stand in a file, which NAME_FILE names.
  const addresses = [...source('config/read/server-addresses.ts').matchAll(/await read\('([A-Z_]+)'\)/gu)];
  return new Set([...read, ...addresses.flatMap(([, name]) => [name!, `${name!}_FILE`])]);
}

/** What may pass in order until work is handed back, in milliseconds: an upload that ends, the console, the queue. */
export function handBackTime(): number {
  const parts = [
    ['upload/send/send.ts', 'GRACE'],
    ['web/console.ts', 'CLOSING_TIME'],
    ['jobs/queue/worker.ts', 'CLOSING_TIME'],
  ] as const;
  return parts.reduce((sum, [file, name]) => {
    const found = new RegExp(`^const ${name} = ([\\d_]+);$`, 'mu').exec(source(file));
    if (found === null) throw new Error(`${name} is no longer in src/${file}: name what an end waits for now.`);
    return sum + Number(found[1]!.replaceAll('_', ''));
  }, 0);
}

/** What looks like a credential in a text: an address with a password, a key, or a setting that has a value instead of a file. */
export function secretsIn(text: string): string[] {
  return [
    ...text.matchAll(/\w+:\/\/[^\s/:@]*:[^\s/:@{}<>]+@|-----BEGIN|\bAKIA[A-Z0-9]{16}\b/gu),
    ...text
      .replaceAll(/^\s*#.*$/gmu, '')
      .matchAll(/(?<![a-z])(?:password|secret|token)(?::[ \t]+|=)(?!\{ file:|'?\$)[^\s#}]{4,}/giu),
  ].map(([found]) => found);
}
