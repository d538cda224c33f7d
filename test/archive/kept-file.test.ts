import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { assert, asyncProperty, constantFrom, double } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { damageOf, keptBytes, verifiedPath, whileVerified, type KeptFile } from '../../src/archive/kept-file.ts';
import { compose } from '../../src/compose/compose.ts';
import { OfferlineError } from '../../src/errors.ts';
import { configSchema } from '../../src/config/schema/schema.ts';
import { byteLines, lineBatches } from '../../src/archive/lines.ts';
import { chooseCanaries } from '../../src/upload/receipt/choose-canaries.ts';
import { compareRows } from '../../src/upload/receipt/rows-digest.ts';
import { offerFile } from '../../src/upload/send/offer-body.ts';
import { traceRejections } from '../../src/upload/errors/trace.ts';
import { findLostZeros } from '../../src/validate/checks/lost-zeros.ts';
import { diffRows } from '../../src/compose/diff.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { repetitions } from '../support/repetitions.ts';

const KEYS = ['brand', 'oem', 'name', 'tags'];
const { offer } = configSchema.parse({ logins: {}, feeds: {} });

/** A file as the archive keeps it. */
function kept(text: string): KeptFile {
  const unverifiedPath = join(tempFolder(), 'kept');
  writeFileSync(unverifiedPath, text);
  return { sha256: createHash('sha256').update(text).digest('hex'), unverifiedPath };
}

async function drain(source: AsyncIterable<unknown>): Promise<void> {
  for await (const _each of source);
}

const numbers = Array.from({ length: 400 }, (_, at) => at + 1);
const ROWS = numbers.map((at) => `${at + 1}\tBOSCH\t0${at}\tfilter\toil\n`).join('');
const INDEX = numbers.map((at) => `north\t${at + 1}\tBOSCH\t0${at}\tfilter\toil\n`).join('');
const ERRORS = `message\tbrand\toem\tname\ttags\n${numbers.map((at) => `bad\tBOSCH\t0${at}\tfilter\toil\n`).join('')}`;
const ISSUES = numbers.map((at) => `${JSON.stringify({ code: 'oem-empty', line: at })}\n`).join('');
const DATASET = `${KEYS.join('\t')}\n${ROWS.replaceAll(/^\d+\t/gm, '')}`;

/** Every reader of a file of the archive, with what it reads. */
const READERS: Record<string, { text: string; read: (file: KeptFile) => Promise<unknown> }> = {
  'bytes of a dataset': { text: DATASET, read: (file) => drain(keptBytes(file, 1000)) },
  'the body of an upload': {
    text: DATASET,
    read: async (dataset) => {
      const body = { dataset, offer, login: 'main', token: 'k3f9x', folder: tempFolder() };
      return buffer((await offerFile(body)).content);
    },
  },
  'the zipped body of an upload': {
    text: DATASET,
    read: (dataset) =>
      offerFile({ dataset, offer: { ...offer, zip: true }, login: 'main', token: 'k3f9x', folder: tempFolder() }),
  },
  'a path of a delivery': { text: DATASET, read: (file) => verifiedPath(file) },
  'reading a delivery': { text: DATASET, read: (file) => whileVerified(file, (path) => Promise.resolve(path)) },
  'lines of rows': { text: ROWS, read: (file) => drain(lineBatches(file)) },
  'the first line of an index': {
    text: INDEX,
    read: async (file) => {
      for await (const lines of lineBatches(file)) return lines[0];
      return null;
    },
  },
  'bytes of lines': { text: ROWS, read: (file) => drain(byteLines(file)) },
  issues: { text: ISSUES, read: (file) => drain(lineBatches(file)) },
  composing: {
    text: ROWS,
    read: (rowsPath) => {
      const folder = tempFolder();
      const out = { uploadPath: join(folder, 'upload'), indexPath: join(folder, 'index') };
      const feeds = [{ feed: 'north', run: 'run', rowsPath, columns: KEYS }];
      return compose({ feeds, offer, tags: 'winner', expected: 400, ...out });
    },
  },
  'what changes': {
    text: ROWS,
    read: (path) =>
      diffRows({
        older: { path, columns: KEYS, kind: 'rows' },
        newer: { path: kept(ROWS), columns: KEYS, kind: 'rows' },
        columns: KEYS,
      }),
  },
  'lost zeros': {
    text: ROWS,
    read: (path) => drain(findLostZeros({ path: kept(ROWS), columns: KEYS }, { path, columns: KEYS })),
  },
  'tracing in an index': {
    text: INDEX,
    read: (indexPath) =>
      traceRejections({ errorsPath: null, indexPath, columns: KEYS, tagSeparator: ',', tagColumn: null, outputs: {} }),
  },
  'tracing an errors file': {
    text: ERRORS,
    read: (errorsPath) =>
      traceRejections({
        errorsPath,
        indexPath: kept(INDEX),
        columns: KEYS,
        tagSeparator: ',',
        tagColumn: null,
        outputs: {},
      }),
  },
  'canaries of an index': {
    text: INDEX,
    read: (indexPath) =>
      chooseCanaries({ seed: 'ab', rows: 400, sent: { indexPath, errorsPath: null, columns: KEYS }, before: null }),
  },
  'comparing with the service': {
    text: INDEX,
    read: (indexPath) => {
      const sourcePath = join(tempFolder(), 'source');
      writeFileSync(sourcePath, DATASET);
      return compareRows({ sourcePath, indexPath, columns: KEYS });
    },
  },
};

/** How a disk, or somebody, damages a file; a place is a share of its length. */
const HARMS: Record<string, (path: string, place: number) => void> = {
  'a bit flips': (path, place) => {
    const bytes = readFileSync(path);
    bytes[Math.floor(place * bytes.length)]! ^= 1 << Math.floor(place * 8);
    writeFileSync(path, bytes);
  },
  'it is cut': (path, place) =>
    writeFileSync(path, readFileSync(path).subarray(0, Math.floor(place * 0.999 * readFileSync(path).length))),
  'something is added': (path) => writeFileSync(path, `${readFileSync(path, 'utf8')}x\n`),
  'it is gone': (path) => rmSync(path),
  'a folder is in its place': (path) => {
    rmSync(path);
    mkdirSync(path);
  },
};

test.each(Object.entries(READERS))('a whole file is read: %s', async (_name, { text, read }) => {
  await expect(read(kept(text))).resolves.not.toBeNull();
});

test.each(Object.entries(READERS))(
  'a damaged file is never taken for what was kept: %s',
  async (_name, { text, read }) => {
    const place = double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    await assert(
      asyncProperty(constantFrom(...Object.keys(HARMS)), place, async (harm, at) => {
        const file = kept(text);
        HARMS[harm]?.(file.unverifiedPath, at);
        const found = await read(file).then(
          () => null,
          (error: unknown) => damageOf(error),
        );
        expect(found).toMatchObject({ sha256: file.sha256 });
      }),
      { numRuns: repetitions(40) },
    );
  },
);

test('a file that may not be read is said to be unreadable, and where it is', async () => {
  // Root may read everything: a name that no file can be opened by does the same to everybody.
  const file = kept('rows');
  chmodSync(file.unverifiedPath, 0);
  const asked = process.getuid?.() === 0 ? { ...file, unverifiedPath: join(file.unverifiedPath, 'below') } : file;
  await expect(verifiedPath(asked)).rejects.toMatchObject({ code: 'archive', details: { damage: 'unreadable' } });
  await expect(verifiedPath(asked)).rejects.toThrow(asked.unverifiedPath);
});

test('what a reader made of a damaged file does not count, nor does what he says is wrong with it', async () => {
  const file = kept('rows');
  writeFileSync(file.unverifiedPath, 'rowz');
  const outcomes = [() => Promise.resolve('read'), () => Promise.reject(new Error('this is no price list'))];
  for (const work of outcomes) await expect(whileVerified(file, work)).rejects.toMatchObject({ code: 'archive' });
});

describe('a file that is not of the archive', () => {
  const priceList = () => {
    const path = join(tempFolder(), 'prices.csv');
    writeFileSync(path, 'brand;oem\n');
    return path;
  };

  test('must not change while it is read', async () => {
    const path = priceList();
    const reading = whileVerified(path, async () => appendFileSync(path, 'BOSCH;1\n'));
    await expect(reading).rejects.toMatchObject({
      code: 'file-rejected',
      message: 'prices.csv changed while it was read. Try again when nothing writes to it any more.',
    });
  });

  test('nor be replaced, whatever else was wrong with it', async () => {
    const path = priceList();
    const reading = whileVerified(path, async () => {
      writeFileSync(`${path}.new`, 'brand;oem;name\n');
      renameSync(`${path}.new`, path);
      throw new OfferlineError('file-rejected', 'prices.csv is empty.');
    });
    await expect(reading).rejects.toThrow('changed while it was read');
  });

  test('may go when it was read to its end', async () => {
    const path = priceList();
    const reading = whileVerified(path, async () => {
      rmSync(path);
      return 'read';
    });
    await expect(reading).resolves.toBe('read');
  });

  test('is not found when it goes before', async () => {
    const path = priceList();
    const reading = whileVerified(path, async () => {
      rmSync(path);
      return readFileSync(path);
    });
    await expect(reading).rejects.toMatchObject({
      code: 'not-found',
      message: `${path} could not be read to its end (ENOENT).`,
    });
  });

  test('what is wrong elsewhere is said as it is', async () => {
    const reading = whileVerified(priceList(), async () => readFileSync(join(tempFolder(), 'other')));
    await expect(reading).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
