import { createHook } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { append, type Part, save } from '../../../src/pull/save/save.ts';
import type { OfferlineError } from '../../../src/errors.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { repetitions } from '../../support/repetitions.ts';

const MEGABYTE = 1024 * 1024;

function bytesOf(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) % 256));
}

/** What a line delivers: copies, because a chunk belongs to whom it is handed to. */
async function* chunksOf(bytes: Uint8Array, sizes: number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const size = Math.max(1, sizes[index % sizes.length] ?? bytes.length);
    yield new Uint8Array(bytes.subarray(at, at + size));
    at += size;
  }
}

async function* cutAfter(chunks: AsyncIterable<Uint8Array>, error: Error): AsyncGenerator<Uint8Array> {
  yield* chunks;
  throw error;
}

function errorOf(action: Promise<unknown>): Promise<OfferlineError> {
  return action.then(
    () => Promise.reject(new Error('nothing failed')),
    (error: OfferlineError) => error,
  );
}

function optionsFor(target: string) {
  return { target, limit: 100 * MEGABYTE, what: 'sftp://supplier.example/prices.csv' };
}

test('a file is written and digested, whatever the sizes of its chunks', async () => {
  const folder = tempFolder();
  const bytes = bytesOf(3 * MEGABYTE);
  const size = fc.oneof(fc.integer({ min: 200, max: 70_000 }), fc.integer({ min: 900_000, max: 3_000_000 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(size, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 0, max: bytes.length }),
      async (sizes, length) => {
        const [target, whole] = [join(folder, 'file'), bytes.subarray(0, length)];

        const saved = await save(chunksOf(whole, sizes), optionsFor(target));

        expect(saved).toEqual({ bytes: length, sha256: createHash('sha256').update(whole).digest('hex') });
        expect(readFileSync(target).equals(whole)).toBe(true);
      },
    ),
    { numRuns: repetitions(25) },
  );
});

test.each([
  ['less than a block', 1000],
  ['a block', MEGABYTE],
  ['several blocks', 2.5 * MEGABYTE],
])('a file that was cut after %s goes on from there, and its digest is that of the whole', async (_name, cut) => {
  const target = join(tempFolder(), 'file');
  const bytes = bytesOf(4 * MEGABYTE);
  const part: Part = { bytes: 0 };
  const lost = new Error('the line is cut');

  const first = append(cutAfter(chunksOf(bytes.subarray(0, cut), [64 * 1024]), lost), part, optionsFor(target));
  await expect(first).rejects.toThrow(lost);
  expect(part.bytes).toBe(cut);
  const saved = await append(chunksOf(bytes.subarray(cut), [64 * 1024]), part, optionsFor(target));

  expect(saved).toEqual({ bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
  expect(readFileSync(target).equals(bytes)).toBe(true);
});

test('what lies behind the first part is not kept', async () => {
  const target = join(tempFolder(), 'file');
  await save(chunksOf(bytesOf(2000), [500]), optionsFor(target));

  await append(chunksOf(Buffer.from('end'), [3]), { bytes: 10 }, optionsFor(target));

  expect(readFileSync(target).equals(Buffer.concat([bytesOf(10), Buffer.from('end')]))).toBe(true);
});

test('an empty file is a file', async () => {
  const target = join(tempFolder(), 'file');

  expect(await save(chunksOf(Buffer.alloc(0), [1]), optionsFor(target))).toMatchObject({ bytes: 0 });

  expect(readFileSync(target)).toHaveLength(0);
});

test.each([100, 2 * MEGABYTE])('a full disk is told, and %i bytes are not taken for written', async (length) => {
  const part: Part = { bytes: 0 };

  const error = await errorOf(append(chunksOf(bytesOf(length), [50_000]), part, optionsFor('/dev/full')));

  expect(error).toMatchObject({ code: 'disk-full' });
  expect(part.bytes).toBe(0);
});

test('a folder that is gone is told with the path', async () => {
  const target = join(tempFolder(), 'gone', 'file');

  const error = await errorOf(save(chunksOf(bytesOf(2 * MEGABYTE), [50_000]), optionsFor(target)));

  expect(error.message).toContain(`Cannot write ${target}: `);
});

test('one byte over the limit is refused, and half a file is removed', async () => {
  const target = join(tempFolder(), 'file');
  const options = { ...optionsFor(target), limit: 2 * MEGABYTE };

  const error = await errorOf(save(chunksOf(bytesOf(2 * MEGABYTE + 1), [64 * 1024]), options));

  expect(error.message).toContain('limits.fileSize allows 2097152');
  expect(existsSync(target)).toBe(false);
});

test('a pull that is stopped from outside ends as interrupted, also while the disk is written', async () => {
  const target = join(tempFolder(), 'file');
  const stopping = new AbortController();
  let received = 0;
  const options = {
    ...optionsFor(target),
    signal: stopping.signal,
    received: (bytes: number) => {
      received += bytes;
      if (received > 2 * MEGABYTE) stopping.abort();
    },
  };

  const error = await errorOf(save(chunksOf(bytesOf(4 * MEGABYTE), [64 * 1024]), options));

  expect(error).toMatchObject({ code: 'interrupted' });
  expect(existsSync(target)).toBe(false);
});

test('the memory of each chunk is given back as soon as it is taken', async () => {
  const handed: Uint8Array[] = [];
  async function* remembered(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunksOf(bytesOf(3 * MEGABYTE), [64 * 1024])) {
      handed.push(chunk);
      yield chunk;
    }
  }

  await save(remembered(), optionsFor(join(tempFolder(), 'file')));

  expect(handed.filter(({ length }) => length > 0)).toEqual([]);
});

test('many files that come at once are written by four threads, each whole', async () => {
  const folder = tempFolder();
  const bytes = bytesOf(2 * MEGABYTE);
  const files = Array.from({ length: 12 }, (_, at) => bytes.subarray(at));
  const gate = Promise.withResolvers<void>();
  let begun = 0;
  let threads = 0;
  const hook = createHook({ init: (_id, type) => void (threads += type === 'WORKER' ? 1 : 0) }).enable();
  async function* heldAtTheEnd(bytes: Buffer): AsyncGenerator<Uint8Array> {
    yield* chunksOf(bytes, [200_000]);
    begun += 1;
    if (begun === files.length) gate.resolve();
    await gate.promise;
  }
  const saving = files.map((bytes, at) => save(heldAtTheEnd(bytes), optionsFor(join(folder, `${at}`))));
  await gate.promise;
  hook.disable();
  expect(threads).toBe(4);
  const saved = await Promise.all(saving);
  expect(saved.map(({ sha256 }) => sha256)).toEqual(
    files.map((bytes) => createHash('sha256').update(bytes).digest('hex')),
  );
});
