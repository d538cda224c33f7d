import { appendFile, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Somebody who delivers to a place. */
export type Supplier = {
  /** Puts a file there, a second newer than the one before, or of a given time in seconds. */
  publish: (name: string, bytes: Buffer | string, second?: number) => Promise<void>;
  /** Writes on at the end of a file. */
  append: (name: string, bytes: Buffer | string) => Promise<void>;
  /** Puts another file at the place of one, at once. */
  replace: (name: string, bytes: Buffer | string) => Promise<void>;
  /** All files, by their paths. */
  published: () => Promise<Record<string, Buffer>>;
};

/** A supplier who writes into a folder of his server. */
export function supplierIn(folder: string): Supplier {
  let newest = 1_700_000_000;
  const publish: Supplier['publish'] = async (name, bytes, second = (newest += 1)) => {
    await writeFile(join(folder, name), bytes);
    await utimes(join(folder, name), second, second);
  };
  return {
    publish,
    append: async (name, bytes) => {
      await appendFile(join(folder, name), bytes);
      await utimes(join(folder, name), (newest += 1), newest);
    },
    replace: async (name, bytes) => {
      await publish('.next', bytes);
      await rename(join(folder, '.next'), join(folder, name));
    },
    published: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries
        .filter((entry) => entry.isFile())
        .map(async ({ parentPath, name }) => {
          const path = join(parentPath, name);
          return [relative(folder, path), await readFile(path)] as const;
        });
      return Object.fromEntries(await Promise.all(files));
    },
  };
}
