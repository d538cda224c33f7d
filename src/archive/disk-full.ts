import { statfs } from 'node:fs/promises';
import { isDiskFull, OfferlineError, systemCode } from '../errors.ts';

/** Runs `work`; a disk or quota that is full becomes a `disk-full` error that names the folder and what is free. */
export async function sayDiskFull<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    const what = systemCode(error) === 'EDQUOT' ? 'The disk quota is used up' : 'No space is left';
    throw new OfferlineError(
      'disk-full',
      `${what} for ${folder} (${await freeSpace(folder)} free). Free some space and try again.`,
      {
        cause: error,
        retryable: true,
      },
    );
  }
}

async function freeSpace(folder: string): Promise<string> {
  const { bavail, bsize } = await statfs(folder);
  return `${((bavail * bsize) / 1e6).toFixed(1)} MB`;
}
