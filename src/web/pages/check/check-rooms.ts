import { rm } from 'node:fs/promises';
import { OfferlineError } from '../../../errors.ts';
import { places, type Places } from '../../../io/places.ts';
import { temporaryFolder } from '../../../io/temporary-folder.ts';
import type { TokenRole, Visitor } from '../../../access/visitor.ts';

/** Files that are kept at once while they are received and checked: they may be large, and uploads need the disk, too. */
const MOST = 8;
/** Of one visitor, so that nobody takes the places of all others. */
const MOST_OF_ONE = 2;
/** Places that only administrators and ops may take: they look at a file because something is wrong. */
const RESERVED = 2;

/** Files of visitors of one role that are read at once, one of each visitor: the others wait. */
const READ_AT_ONCE = 2;

/** Whose files are kept, a name for each. */
const kept: string[] = [];
const queues = new Map<TokenRole, Places>();
const visitors = new Map<string, { place: Places; files: number }>();

/** A folder for a file of the visitor, which goes with all that is in it, and where its reading waits for its turn. */
export type Room = AsyncDisposable & { folder: string; queue: Places[] };

/** Opens a room for a file of the visitor. Fails with `conflict` when too many files are kept. */
export async function openRoom({ visitor }: { visitor: Pick<Visitor, 'name' | 'role'> }): Promise<Room> {
  const own = kept.filter((name) => name === visitor.name).length;
  const most = isTrusted(visitor) ? MOST : MOST - RESERVED;
  if (own >= MOST_OF_ONE || kept.length >= most) {
    const whose = own >= MOST_OF_ONE ? `${own} of your files` : `${kept.length} files`;
    throw new OfferlineError(
      'conflict',
      `${whose} are being checked already. Wait until one is done, and send this one then.`,
    );
  }
  const leave = enter(visitor.name);
  try {
    const folder = await temporaryFolder('check');
    const remove = () => rm(folder, { recursive: true, force: true }).finally(leave);
    return { folder, queue: queueOf(visitor), [Symbol.asyncDispose]: remove };
  } catch (error) {
    leave();
    throw error;
  }
}

function isTrusted({ role }: Pick<Visitor, 'role'>): boolean {
  return role === 'ops' || role === 'admin';
}

/** Counts a file of a visitor; gives the function that forgets it. */
function enter(name: string): () => void {
  kept.push(name);
  const its = visitors.get(name) ?? { place: places(1), files: 0 };
  visitors.set(name, its);
  its.files += 1;
  return () => {
    kept.splice(kept.indexOf(name), 1);
    its.files -= 1;
    if (its.files === 0) visitors.delete(name);
  };
}

/** First the other file of the visitor, then those of the same role. */
function queueOf({ name, role }: Pick<Visitor, 'name' | 'role'>): Places[] {
  const queue = queues.get(role) ?? places(READ_AT_ONCE);
  queues.set(role, queue);
  return [visitors.get(name)!.place, queue];
}
