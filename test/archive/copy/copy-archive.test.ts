import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { objectKey } from '../../../src/archive/s3/object-key.ts';
import { openLedger, type Ledger } from '../../../src/ledger/ledger.ts';
import { archivedObjects } from '../../../src/ledger/maintenance/archived-objects.ts';
import { atEnd } from '../../support/at-end.ts';
import { repetitions } from '../../support/repetitions.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { all, pieces } from '../conformance.ts';
import { copyBetween, inBucket, inFolder, type Place } from './copies.ts';

const TEXTS = Array.from({ length: 12 }, (_, at) => `brand;oem\nBOSCH;${at}\n`);
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const LATER = Date.now() + 86_400_000;

async function newLedger(): Promise<Ledger> {
  const ledger = await openLedger({ file: join(tempFolder(), 'ledger.sqlite') });
  atEnd(() => ledger.close());
  return ledger;
}

async function fill(place: Place, texts = TEXTS): Promise<void> {
  for (const text of texts) await place.archive.put(pieces(text));
}

/** What an archive lists, each file read again: a name for each that is whole. */
async function wholeIn({ archive }: Place): Promise<string[]> {
  const found: string[] = [];
  for (const { sha256 } of await all(archive.list())) {
    expect(await archive.verify(sha256)).toBe('ok');
    found.push(sha256);
  }
  return found.toSorted();
}

const sorted = (texts: string[]) => texts.map(hashOf).toSorted();
const files = (count: number) => ({ files: count, bytes: expect.any(Number) as number });

describe('what a copy asks of a store', () => {
  test.each<[string, object]>([
    ['with conditions', {}],
    ['without conditions', { conditions: false }],
  ])('is one PUT for each new file, and at most three requests for one that is there already: %s', async (_, style) => {
    const ledger = await newLedger();
    const [from, to] = [await inFolder(), await inBucket(ledger, style)];
    await fill(from);
    const asking = async (options = {}) => {
      to.asked.length = 0;
      await copyBetween(ledger, from, to, options);
      // Listings are asked for by the page, before and after.
      const lists = 2 * Math.max(1, Math.ceil(to.buckets.get('offers')!.size / 3));
      return Object.fromEntries(
        ['PUT', 'HEAD', 'GET'].map((method) => [
          method,
          to.asked.filter((asked) => asked === method).length - (method === 'GET' ? lists : 0),
        ]),
      );
    };
    const first = await asking();
    expect(first['PUT']).toBeGreaterThanOrEqual(TEXTS.length);
    expect(await asking()).toEqual({ PUT: 0, HEAD: 0, GET: TEXTS.length });
    expect(await asking({ sizeOnly: true })).toEqual({ PUT: 0, HEAD: 0, GET: 0 });
    // Damage in the size of the file, and in another one.
    for (const [at, bytes] of [TEXTS[0]!.toUpperCase(), 'short'].entries()) {
      (to.buckets.get('offers') as Map<string, { bytes: Buffer }>).get(
        `files/${objectKey(hashOf(TEXTS[at]!), 0)}`,
      )!.bytes = Buffer.from(bytes);
    }
    expect(await asking()).toEqual({ PUT: 2, HEAD: 0, GET: TEXTS.length - 1 });
    expect(await wholeIn(to)).toEqual(sorted(TEXTS));
  });
});

test('a copy of a copy gives the same files back: folder, bucket, bucket, folder', async () => {
  const ledger = await newLedger();
  const places = [await inFolder(), await inBucket(ledger), await inBucket(ledger), await inFolder()] as const;
  await fill(places[0]);
  for (const [at, target] of places.slice(1).entries()) {
    expect(await copyBetween(ledger, places[at]!, target)).toMatchObject({
      copied: files(12),
      skipped: files(0),
      left: 0,
    });
    expect(await wholeIn(target)).toEqual(sorted(TEXTS));
  }
  expect(await copyBetween(ledger, places[3], places[0])).toMatchObject({ copied: files(0), skipped: files(12) });
});

test('a file that had been removed and came back gets a key that no late removal meets', async () => {
  const ledger = await newLedger();
  const [from, to] = [await inFolder(), await inBucket(ledger)];
  await fill(from, TEXTS.slice(0, 2));
  // From the time when the files were in a bucket.
  const index = archivedObjects(ledger);
  const blob = { sha256: hashOf(TEXTS[0]!), bytes: TEXTS[0]!.length };
  await index.want(blob, 1);
  await index.giveUp(blob.sha256, 2, 2);
  await copyBetween(ledger, from, to);
  expect([...to.buckets.get('offers')!.keys()]).toContain(`files/${objectKey(blob.sha256, 1)}`);
  expect(await wholeIn(to)).toEqual(sorted(TEXTS.slice(0, 2)));
});

test('of a bucket in use what was given up is not copied, and what came back keeps its key', async () => {
  const ledger = await newLedger();
  const [from, to] = [await inBucket(ledger), await inBucket(ledger)];
  await fill(from, TEXTS.slice(0, 3));
  const [back, given] = [hashOf(TEXTS[0]!), hashOf(TEXTS[1]!)];
  await from.archive.removeOlder(back, LATER);
  await fill(from, TEXTS.slice(0, 1));
  // A machine that dies before it removes the object.
  await archivedObjects(ledger).giveUp(given, LATER, LATER);
  expect(await copyBetween(ledger, from, to)).toMatchObject({ copied: files(2), left: 0 });
  expect([...to.buckets.get('offers')!.keys()].toSorted()).toEqual(
    [`files/${objectKey(back, 1)}`, `files/${objectKey(hashOf(TEXTS[2]!), 0)}`].toSorted(),
  );
  expect(await wholeIn(to)).toEqual(sorted([TEXTS[0]!, TEXTS[2]!]));
});

test('when its files were brought in, as prune counts it, stays for a bucket that is copied, and is now for a folder', async () => {
  const ledger = await newLedger();
  const [from, to] = [await inBucket(ledger), await inBucket(ledger)];
  await fill(from, TEXTS.slice(0, 1));
  await ledger.db.updateTable('archived_objects').set({ at: 1000 }).execute();
  await copyBetween(ledger, from, to);
  expect((await all(to.archive.list())).map(({ at }) => at)).toEqual([1000]);
  const [folder, other, began] = [await inFolder(), await inBucket(await newLedger()), Date.now()];
  await fill(folder, TEXTS.slice(0, 1));
  await copyBetween(ledger, folder, other);
  expect((await all(other.archive.list())).every(({ at }) => at >= began)).toBe(true);
});

describe('while an archive is copied', () => {
  test('files may come and go: the first are left for the next call, the others are none that were missed', async () => {
    const ledger = await newLedger();
    const from = await inFolder();
    let change: (() => Promise<void>) | undefined;
    const to = await inBucket(ledger, {
      harm: ({ method }) => {
        if (method === 'PUT' && change !== undefined) return change();
        return undefined;
      },
    });
    await fill(from, TEXTS.slice(1));
    // Of twelve, eight are under way at once.
    const last = sorted(TEXTS.slice(1)).at(-1)!;
    change = async () => {
      change = undefined;
      await from.archive.remove(last);
      await fill(from, TEXTS.slice(0, 1));
    };
    expect(await copyBetween(ledger, from, to)).toMatchObject({ copied: files(10), gone: 1, left: 1, damaged: [] });
    expect(await copyBetween(ledger, from, to)).toMatchObject({
      copied: files(1),
      skipped: files(10),
      gone: 0,
      left: 0,
    });
    expect(await wholeIn(to)).toEqual(sorted(TEXTS).filter((sha256) => sha256 !== last));
  });

  test('a stop ends it between two files, and the next call goes on', async () => {
    const ledger = await newLedger();
    const from = await inFolder();
    const stop = new AbortController();
    const to = await inBucket(ledger, {
      harm: ({ method, url = '' }) => {
        if (method === 'PUT' && url.includes('/files/')) stop.abort();
      },
    });
    await fill(from);
    await expect(copyBetween(ledger, from, to, { signal: stop.signal })).rejects.toMatchObject({ code: 'interrupted' });
    const there = to.buckets.get('offers')!.size;
    expect(there).toBeGreaterThan(0);
    expect(there).toBeLessThan(TEXTS.length);
    expect(await copyBetween(ledger, from, to)).toMatchObject({
      copied: files(TEXTS.length - there),
      skipped: files(there),
    });
  });

  test('a store that is slow, cuts and asks to be tried later is asked again', async () => {
    const ledger = await newLedger();
    let asked = 0;
    const harm = (
      _: unknown,
      response: { writeHead: (status: number) => { end: (text: string) => void }; destroy: () => void },
    ) => {
      asked += 1;
      if (asked % 3 === 0) response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
      else if (asked % 7 === 0) response.destroy();
    };
    const [from, to] = [await inBucket(ledger, { harm }), await inBucket(ledger, { harm })];
    await fill(from);
    expect(await copyBetween(ledger, from, to)).toMatchObject({ copied: files(12), left: 0, damaged: [] });
    expect(await wholeIn(to)).toEqual(sorted(TEXTS));
  });

  test('one that is full is named, and nothing is said to be there', async () => {
    const ledger = await newLedger();
    const from = await inFolder();
    const to = await inBucket(ledger, {
      harm: ({ method, url = '' }, response) => {
        if (method === 'PUT' && url.includes('/files/'))
          response.writeHead(507).end('<Error><Code>QuotaExceeded</Code></Error>');
      },
    });
    await fill(from);
    await expect(copyBetween(ledger, from, to)).rejects.toThrow('has no space left for this bucket');
    expect(await all(to.archive.list())).toEqual([]);
  });

  test('one that says that it took a file, and has none, is named', async () => {
    const ledger = await newLedger();
    const from = await inFolder();
    const to = await inBucket(ledger, {
      harm: ({ method, url = '' }, response) => {
        if (method === 'PUT' && url.includes(hashOf(TEXTS[3]!))) response.writeHead(200).end();
      },
    });
    await fill(from);
    await expect(copyBetween(ledger, from, to)).rejects.toMatchObject({
      code: 'archive',
      message: expect.stringContaining(`took the file ${hashOf(TEXTS[3]!)} and does not have it`) as string,
    });
  });
});

test('what is damaged in a source is named: changed bytes, a folder in the place of a file, a damaged object', async () => {
  const ledger = await newLedger();
  const [folder, bucket, to] = [await inFolder(), await inBucket(ledger), await inFolder()];
  await fill(folder, TEXTS.slice(0, 3));
  const pathOf = (text: string) => join(folder.folder, objectKey(hashOf(text), 0));
  writeFileSync(pathOf(TEXTS[0]!), 'other bytes');
  rmSync(pathOf(TEXTS[1]!));
  mkdirSync(pathOf(TEXTS[1]!));
  const { damaged } = await copyBetween(ledger, folder, to);
  expect(damaged.toSorted((a, b) => a.damage.localeCompare(b.damage))).toEqual([
    { sha256: hashOf(TEXTS[0]!), path: pathOf(TEXTS[0]!), damage: 'damaged' },
    { sha256: hashOf(TEXTS[1]!), path: pathOf(TEXTS[1]!), damage: 'unreadable' },
  ]);
  await fill(bucket, TEXTS.slice(0, 1));
  (bucket.buckets.get('offers') as Map<string, { bytes: Buffer }>).values().next().value!.bytes = Buffer.from('bad');
  expect((await copyBetween(ledger, bucket, to)).damaged).toMatchObject([{ damage: 'damaged' }]);
  expect(await wholeIn(to)).toEqual(sorted(TEXTS.slice(2, 3)));
});

describe('histories of archives that move', () => {
  const text = fc.constantFrom(...TEXTS.slice(0, 5));
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ does: fc.constant('put' as const), text }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('prune' as const), text }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('die while pruning' as const), text }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('list' as const) }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('copy' as const), to: fc.nat({ max: 3 }) }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('move' as const), to: fc.nat({ max: 3 }) }) },
  );

  test('after each move the new archive has what was kept, whatever was brought in and removed before, and loses nothing by a listing', async () => {
    const ledger = await newLedger();
    const places: Place[] = [await inFolder(), await inBucket(ledger), await inBucket(ledger), await inFolder()];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
        let inUse = 0;
        // What the histories before left in these places is there, as after years; only what is in use counts.
        for (const sha256 of await wholeIn(places[0]!)) await places[0]!.archive.remove(sha256);
        const kept = new Set<string>();
        const lost: string[] = [];
        for (const one of steps) {
          const { archive } = places[inUse]!;
          if (one.does === 'put') kept.add((await archive.put(pieces(one.text))).sha256);
          else if (one.does === 'prune') {
            await archive.removeOlder(hashOf(one.text), LATER);
            kept.delete(hashOf(one.text));
          } else if (one.does === 'die while pruning' && places[inUse]!.type === 's3') {
            await archivedObjects(ledger).giveUp(hashOf(one.text), LATER, Date.now());
            kept.delete(hashOf(one.text));
          } else if (one.does === 'list') await all(archive.list());
          else if ((one.does === 'copy' || one.does === 'move') && one.to !== inUse) {
            const done = await copyBetween(ledger, places[inUse]!, places[one.to]!);
            lost.push(...done.damaged.map(({ sha256 }) => sha256));
            if (one.does === 'move') inUse = one.to;
            // Files that were removed elsewhere meanwhile may still lie there; nothing that is kept is missing.
            const there = await wholeIn(places[inUse]!);
            lost.push(...[...kept].filter((sha256) => !there.includes(sha256)));
          }
        }
        const there = await wholeIn(places[inUse]!);
        lost.push(...[...kept].filter((sha256) => !there.includes(sha256)));
        expect(lost).toEqual([]);
      }),
      { numRuns: repetitions(25) },
    );
  }, 120_000);
});
