import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { link, open, readFile, rename, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { systemCode } from '../../../src/errors.ts';
import { until } from '../../support/until.ts';

/** A disk that answers one reader when it is told to. */
export type SlowFile = {
  /** Resolves when someone is reading; from then on other readers find the file as it was. */
  met: () => Promise<void>;
  /** Gives the reader what it waits for. */
  answer: () => Promise<void>;
};

/**
 * Lets whoever opens a file next wait for it, by putting a named pipe in its place: the one way to stop a process in
 * mid-work that needs no hook in it.
 */
export async function slowFile(path: string): Promise<SlowFile> {
  const aside = `${path}.aside`;
  const pipe = `${path}.pipe`;
  const content = await readFile(path);
  await promisify(execFile)('mkfifo', [pipe]);
  await link(path, aside);
  await rename(pipe, path);
  let writer: FileHandle | undefined;
  return {
    met: async () => {
      const { O_WRONLY, O_NONBLOCK } = constants;
      // Without a reader this fails; with one it would lead to partial writes, so the second one blocks.
      const first = await until(() => open(path, O_WRONLY | O_NONBLOCK).catch(unlessNobodyReads));
      writer = await open(path, O_WRONLY);
      await first.close();
      await rename(aside, path);
    },
    answer: async () => {
      // The reader may be dead.
      await writer?.writeFile(content).catch(() => undefined);
      await writer?.close();
      writer = undefined;
    },
  };
}

function unlessNobodyReads(error: unknown): undefined {
  if (systemCode(error) !== 'ENXIO') throw error;
}
