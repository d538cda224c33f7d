import { createHash } from 'node:crypto';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Archive } from '../../src/archive/archive.ts';
import { keptBytes } from '../../src/archive/kept-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

const TEXT = 'brand;oem\nBOSCH;0986\n';
const SHA = createHash('sha256').update(TEXT).digest('hex');

/** An archive, and what its disk or store does to it. */
export type UnderTest = {
  archive: Archive;
  /** As if a file was brought in last at this time. */
  age: (sha256: string, at: number) => Promise<void> | void;
  /** Changes bytes of a file where it is kept. */
  damage: (sha256: string, bytes: string) => Promise<void> | void;
};

/** The archive in a folder. */
export async function inFolder(open: () => Promise<Archive>): Promise<UnderTest> {
  const archive = await open();
  const pathOf = (sha256: string) => archive.file(sha256).unverifiedPath;
  return {
    archive,
    age: (sha256, at) => utimesSync(pathOf(sha256), new Date(at), new Date(at)),
    damage: (sha256, bytes) => writeFileSync(pathOf(sha256), bytes),
  };
}

/** What every archive promises; runs on each implementation. */
export function archiveConformance(name: string, make: () => Promise<UnderTest>, rounds = 50): void {
  const open = async () => (await make()).archive;

  test(`${name}: keeps a file under its hash, and leaves the original alone`, async () => {
    const archive = await open();
    const original = join(tempFolder(), 'north.csv');
    writeFileSync(original, TEXT);
    expect(await archive.put(original)).toEqual({ sha256: SHA, bytes: TEXT.length });
    expect(readFileSync(original, 'utf8')).toBe(TEXT);
    expect(readFileSync(archive.file(SHA).unverifiedPath, 'utf8')).toBe(TEXT);
    expect((await buffer(keptBytes(archive.file(SHA)))).toString()).toBe(TEXT);
    expect(await archive.verify(SHA)).toBe('ok');
  });

  test(`${name}: keeps a stream, and an empty one`, async () => {
    const archive = await open();
    expect(await archive.put(pieces('brand;oem\n', 'BOSCH;0986\n'))).toEqual({ sha256: SHA, bytes: TEXT.length });
    const empty = await archive.put(pieces());
    expect(empty.bytes).toBe(0);
    expect(await archive.verify(empty.sha256)).toBe('ok');
  });

  test(`${name}: moves in a file that was made in a temporary folder`, async () => {
    const archive = await open();
    const folder = await archive.tempFolder();
    const made = join(folder, 'rows');
    writeFileSync(made, TEXT);
    expect(await archive.adopt(made)).toEqual({ sha256: SHA, bytes: TEXT.length });
    await expect(access(made)).rejects.toThrow('ENOENT');
    await rm(folder, { recursive: true });
    expect(await archive.has(SHA)).toBe(true);
  });

  test(`${name}: keeps the same bytes once, however often and at once they come`, async () => {
    const archive = await open();
    const folder = await archive.tempFolder();
    const made = Array.from({ length: 5 }, (_, n) => join(folder, `copy-${n}`));
    for (const path of made) writeFileSync(path, TEXT);
    await Promise.all([
      ...made.map((path) => archive.adopt(path)),
      archive.put(pieces(TEXT)),
      archive.put(pieces(TEXT)),
    ]);
    expect(await readdir(folder)).toEqual([]);
    expect(await listed(archive)).toEqual([{ sha256: SHA, bytes: TEXT.length }]);
  });

  test(`${name}: keeps nothing of a stream that breaks off`, async () => {
    const archive = await open();
    const broken = async function* () {
      yield Buffer.from('brand;oem\n');
      await Promise.reject(new Error('the connection was reset'));
    };
    await expect(archive.put(broken())).rejects.toThrow('the connection was reset');
    expect(await listed(archive)).toEqual([]);
  });

  test(`${name}: removes a file, also when it is gone already`, async () => {
    const archive = await open();
    await archive.put(pieces(TEXT));
    await archive.remove(SHA);
    await archive.remove(SHA);
    expect(await archive.has(SHA)).toBe(false);
    expect(await archive.verify(SHA)).toBe('missing');
    await expect(buffer(keptBytes(archive.file(SHA)))).rejects.toMatchObject({ details: { damage: 'missing' } });
  });

  test(`${name}: removes what is old, never what was brought in again since`, async () => {
    const { archive, age } = await make();
    await archive.put(pieces(TEXT));
    const [day, now] = [86_400_000, Date.now()];
    expect(await archive.removeOlder(SHA, now - day)).toBe(false);
    expect(await archive.has(SHA)).toBe(true);
    await age(SHA, now - 2 * day);
    await archive.put(pieces(TEXT));
    expect(await archive.removeOlder(SHA, now - day)).toBe(false);
    await age(SHA, now - 2 * day);
    expect(await archive.removeOlder(SHA, now - day)).toBe(true);
    expect(await archive.removeOlder(SHA, now - day)).toBe(false);
    expect(await archive.has(SHA)).toBe(false);
  });

  test(`${name}: bytes that come in while they are removed are there afterwards`, async () => {
    const { archive, age } = await make();
    for (let round = 0; round < rounds; round++) {
      await archive.put(pieces(TEXT));
      await age(SHA, 0);
      await Promise.all([archive.put(pieces(TEXT)), archive.removeOlder(SHA, Date.now() - 86_400_000)]);
      expect(await archive.verify(SHA)).toBe('ok');
    }
  });

  test(`${name}: notices bytes that no longer give their hash`, async () => {
    const { archive, damage } = await make();
    await archive.put(pieces(TEXT));
    await damage(SHA, TEXT.replace('BOSCH', 'BOSCh'));
    expect(await archive.verify(SHA)).toBe('damaged');
  });

  test(`${name}: sets damaged bytes aside, and the right ones take their place`, async () => {
    const { archive, damage } = await make();
    await archive.put(pieces(TEXT));
    await damage(SHA, TEXT.replace('BOSCH', 'BOSCh'));
    await archive.setAside(SHA);
    expect(await archive.verify(SHA)).toBe('missing');
    await archive.put(pieces(TEXT));
    await archive.setAside(SHA);
    expect((await buffer(keptBytes(archive.file(SHA)))).toString()).toBe(TEXT);
  });

  test(`${name}: replaces damaged bytes by those that are brought in`, async () => {
    const { archive, damage } = await make();
    await archive.put(pieces(TEXT));
    await damage(SHA, TEXT.replace('BOSCH', 'BOSCh'));
    await archive.put(pieces(TEXT));
    expect(await archive.verify(SHA)).toBe('ok');
  });

  test(`${name}: lists each file with its size and time`, async () => {
    const archive = await open();
    const before = Date.now() - 1000;
    await archive.put(pieces('one'));
    await archive.put(pieces('three'));
    const found = [];
    for await (const blob of archive.list()) found.push(blob);
    expect(new Set(found.map((blob) => blob.bytes))).toEqual(new Set([3, 5]));
    for (const blob of found) expect(blob.at).toBeGreaterThan(before);
  });

  test.each(['', 'north.csv', '../../etc/passwd', SHA.toUpperCase()])(
    `${name}: refuses what is no hash: %j`,
    async (text) => {
      const archive = await open();
      expect(() => archive.file(text).unverifiedPath).toThrow('is not the SHA-256 of a file');
    },
  );
}

/** Everything that is given one by one. */
export async function all<T>(given: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of given) found.push(one);
  return found;
}

/** A stream of the given texts. */
export async function* pieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function listed(archive: Archive) {
  const blobs = [];
  for await (const { sha256, bytes } of archive.list()) blobs.push({ sha256, bytes });
  return blobs;
}
