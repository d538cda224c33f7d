import { statfs } from 'node:fs/promises';
import { OfferlineError } from '../../errors.ts';

/** Bytes that were announced and have not come yet, and bytes that have come at all. */
let [announced, arrived] = [0, 0];

/** Of a disk so much stays free for all other work: a twentieth, at most a gigabyte. */
const RESERVE = { share: 0.05, most: 1_000_000_000 };

/** After so many bytes it is looked again whether the disk has room: not every sender says how many come, and others write, too. */
export const LOOK_EVERY = 16 * 1024 * 1024;

/** Room on a disk that is kept for a body until it has come; `came` is told of each piece. */
export type Room = Disposable & { came: (bytes: number) => void };

/**
 * Keeps room for a body before any of it comes, for one without a length as much as may come until it is looked again. Fails with `disk-full`
 * where all that was announced would not leave the reserve. Of two that ask at once the one that finds room keeps it, and the other is refused.
 */
export async function holdRoom(folder: string, length: number | null): Promise<Room> {
  let toCome = length ?? LOOK_EVERY;
  await assertRoom(folder, length, toCome);
  announced += toCome;
  const end = (bytes: number) => {
    const come = Math.min(toCome, bytes);
    toCome -= come;
    announced -= come;
  };
  const came = (bytes: number) => {
    arrived += bytes;
    if (length !== null) end(bytes);
  };
  return { came, [Symbol.dispose]: () => end(toCome) };
}

/** Fails with `disk-full` where the reserve would be touched by what was announced and has not come, and `more` bytes. */
export async function assertRoom(folder: string, length: number | null, more = 0): Promise<void> {
  const before = arrived;
  const disk = await statfs(folder);
  // What has come meanwhile is not in these figures yet, or no more in what was announced.
  if (leavesReserve(disk, announced + more + arrived - before)) return;
  const file = length === null ? 'this file' : `a file of ${length} bytes`;
  const message = `The archive has no room for ${file} now. Free some space there and send it again.`;
  throw new OfferlineError('disk-full', message, { retryable: true });
}

/**
 * Whether a disk keeps its reserve when so many bytes come.
 * @internal exported for tests
 */
export function leavesReserve(
  { bavail, blocks, bsize }: { bavail: number; blocks: number; bsize: number },
  bytes: number,
): boolean {
  return bavail * bsize - bytes >= Math.min(RESERVE.most, blocks * bsize * RESERVE.share);
}
