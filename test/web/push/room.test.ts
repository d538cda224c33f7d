import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { holdRoom, leavesReserve, LOOK_EVERY } from '../../../src/web/push/room.ts';

const GB = 1_000_000_000;

test('a twentieth of a disk stays free, at most a gigabyte', () => {
  const disk = (gigabytes: number, free: number) => ({ bsize: 1000, blocks: gigabytes * 1e6, bavail: free * 1e6 });
  expect(leavesReserve(disk(10, 3), 2.5 * GB)).toBe(true);
  expect(leavesReserve(disk(10, 3), 2.6 * GB)).toBe(false);
  expect(leavesReserve(disk(4000, 3), 2 * GB)).toBe(true);
  expect(leavesReserve(disk(4000, 3), 2 * GB + 1)).toBe(false);
});

test('room that is kept for one file is not given to another until it is let go', async () => {
  const { bavail, bsize } = await statfs(tmpdir());
  const most = Math.floor(bavail * bsize * 0.7);
  const refused = {
    code: 'disk-full',
    message: `The archive has no room for a file of ${most} bytes now. Free some space there and send it again.`,
  };
  {
    using _first = await holdRoom(tmpdir(), most);
    await expect(holdRoom(tmpdir(), most)).rejects.toMatchObject(refused);
    using _small = await holdRoom(tmpdir(), 1);
  }
  using second = await holdRoom(tmpdir(), most);
  // What has come is on the disk and not awaited any more.
  second.came(most);
  using _third = await holdRoom(tmpdir(), most);
});

test('files whose length nobody said keep room for what may come until it is looked again', async () => {
  const { bavail, bsize, blocks } = await statfs(tmpdir());
  const free = bavail * bsize - Math.min(GB, blocks * bsize * 0.05);
  using _others = await holdRoom(tmpdir(), Math.floor(free * 0.99));
  using held = new DisposableStack();
  const most = Math.ceil((free * 0.03) / LOOK_EVERY);
  const hold = async () => {
    for (let at = 0; at < most; at += 1) held.use(await holdRoom(tmpdir(), null));
  };
  await expect(hold()).rejects.toThrow('The archive has no room for this file now.');
});

test('of two files that ask for the last room at once, the first one has it', async () => {
  const { bavail, bsize } = await statfs(tmpdir());
  const most = Math.floor(bavail * bsize * 0.7);
  const asked = await Promise.allSettled([holdRoom(tmpdir(), most), holdRoom(tmpdir(), most)]);
  for (const one of asked) if (one.status === 'fulfilled') one.value[Symbol.dispose]();
  expect(asked.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('what comes while the disk is looked at is not taken for room', async () => {
  const { bavail, bsize } = await statfs(tmpdir());
  const part = Math.floor(bavail * bsize * 0.4);
  using first = await holdRoom(tmpdir(), part);
  const second = holdRoom(tmpdir(), 2 * part);
  first.came(part);
  await expect(second).rejects.toMatchObject({ code: 'disk-full' });
});
