import { expect, test } from 'vitest';
import type { Role } from '../../src/access/visitor.ts';
import { openRoom, type Room } from '../../src/web/pages/check/check-rooms.ts';
import { atEnd } from '../support/at-end.ts';

/** A room of a visitor, which is left at the end of the test. */
async function roomOf(name: string, role: Role): Promise<Room> {
  const room = await openRoom({ visitor: { name, role } });
  atEnd(() => room[Symbol.asyncDispose]());
  return room;
}

/** Takes the places that a file needs; null where it has to wait. */
async function turnOf({ queue }: Room): Promise<(() => void) | null> {
  const left: (() => void)[] = [];
  const leave = () => {
    for (const one of left) one();
  };
  for (const place of queue) {
    const taken = await Promise.race([place.take(AbortSignal.timeout(60_000)), later()]);
    if (taken === null) {
      leave();
      return null;
    }
    left.push(taken);
  }
  return leave;
}

/** A moment after everything that can happen now has happened. */
function later(): Promise<null> {
  return new Promise((resolve) => void setImmediate(() => resolve(null)));
}

test('files wait for others of the same visitor and of the same role, and never for those of another role', async () => {
  const [first, second] = [await roomOf('ann', 'viewer'), await roomOf('ann', 'viewer')];
  const leave = await turnOf(first);
  expect(leave).not.toBeNull();
  expect(await turnOf(second)).toBeNull();
  expect(await turnOf(await roomOf('ben', 'viewer'))).not.toBeNull();
  expect(await turnOf(await roomOf('root', 'admin'))).not.toBeNull();
  expect(await turnOf(await roomOf('olga', 'ops'))).not.toBeNull();
});

test('the last two rooms are for ops and administrators', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await roomOf(name, 'viewer').catch(() => undefined);
  await expect(roomOf('g', 'viewer')).rejects.toThrow(/files are being checked already\. Wait until one is done/);
  await expect(roomOf('m', 'manager')).rejects.toThrow(/files are being checked already/);
  await roomOf('root', 'admin');
});
