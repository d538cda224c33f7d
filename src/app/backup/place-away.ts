import { sayDiskFull } from '../../archive/disk-full.ts';
import { OfferlineError, systemCode } from '../../errors.ts';

const REFUSALS = new Set(['EACCES', 'EPERM']);

/** The error for a place that gives no answer any more, and why. */
export function away(folder: string, reason: string, cause?: unknown): OfferlineError {
  if (REFUSALS.has(reason)) {
    const message = `The place ${folder} has files that this user may not read or write (${reason}). Check their owner and permissions, and run the same command again: it continues.`;
    return new OfferlineError('archive', message, { cause });
  }
  const message = `The place ${folder} cannot be used any more (${reason}). See that its disk or network folder is there and whole, and run the same command again: it continues.`;
  return new OfferlineError('archive', message, { cause });
}

/** Runs `work` on a folder; what the system refuses there becomes an error that names it. */
export async function sayAway<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await sayDiskFull(folder, work);
  } catch (error) {
    throw named(folder, error);
  }
}

/** The same for what is read piece by piece. */
export async function* eachAway<T>(folder: string, items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    throw named(folder, error);
  }
}

function named(folder: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined || !(error instanceof Error)) return error;
  if (error instanceof OfferlineError && error.code !== 'internal') return error;
  const { path } = (error instanceof OfferlineError ? error.cause : error) as NodeJS.ErrnoException;
  // A file that was to be copied may fail, too.
  return path === undefined || path.startsWith(folder) ? away(folder, code, error) : error;
}
