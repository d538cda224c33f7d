import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A supplier who writes into a folder of his server; each file is a second newer than the one before. */
export function supplierIn(folder: string) {
  let second = 1_700_000_000;
  return {
    publish: async (name: string, bytes: Buffer | string) => {
      await writeFile(join(folder, name), bytes);
      await utimes(join(folder, name), (second += 1), second);
    },
    published: async () => {
      const names = await readdir(folder);
      const files = names.map(async (name) => [name, await readFile(join(folder, name))] as const);
      return Object.fromEntries(await Promise.all(files));
    },
  };
}
