import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';

/** Texts by their numbers, in bounded memory. */
export type StringStore = {
  add: (text: string) => void;
  /** Undefined for a number that no text has. */
  get: (number: number) => string | undefined;
  size: () => number;
  close: () => Promise<void>;
};

/** Texts are kept in blocks of so many, each one string: it costs a fraction of what as many strings cost. */
const BLOCK = 64;
const BLOCK_BITS = 6;
/** Characters in memory: 4 to 8 MB. Beyond it blocks go to the file. */
const CHARACTERS_IN_MEMORY = 4 << 20;
/** Blocks of the file that are kept after they were read, and the most characters of them. */
const CACHED_BLOCKS = 1024;
const CACHED_CHARACTERS = 1 << 20;

type Block = { text: string; ends: Uint32Array };
/** Where a block is in the file: its ends, then its text. */
type Place = { at: number; bytes: number };

/** Makes an empty store; `path`: the file for what does not fit into memory, made when it is needed. */
export function makeStringStore(path: string, charactersInMemory = CHARACTERS_IN_MEMORY): StringStore {
  const blocks: (Block | Place)[] = [];
  const cache = new Map<number, Block>();
  let open: string[] = [];
  let place: Buffer = Buffer.alloc(0);
  let [inMemory, cached, fileEnd, file] = [0, 0, 0, -1];

  function add(text: string): void {
    if (open.push(text) < BLOCK) return;
    const block = blockOf(open);
    open = [];
    inMemory += block.text.length + BLOCK;
    blocks.push(inMemory > charactersInMemory ? spill(block) : block);
  }

  function spill({ text, ends }: Block): Place {
    if (file < 0) file = openSync(path, 'w+');
    const bytes = Buffer.concat([Buffer.from(ends.buffer), Buffer.from(text, 'utf16le')]);
    writeWhole(file, bytes, fileEnd);
    const place = { at: fileEnd, bytes: bytes.length };
    fileEnd += bytes.length;
    return place;
  }

  function load(index: number, { at, bytes }: Place): Block {
    const known = cache.get(index);
    if (known !== undefined) return known;
    if (place.length < bytes) place = Buffer.allocUnsafeSlow(2 * bytes);
    readWhole(file, place.subarray(0, bytes), at);
    const ends = new Uint32Array(place.buffer, 0, BLOCK).slice();
    const block = { ends, text: place.toString('utf16le', BLOCK * 4, bytes) };
    if (cache.size >= CACHED_BLOCKS || cached > CACHED_CHARACTERS) {
      cache.clear();
      cached = 0;
    }
    cache.set(index, block);
    cached += block.text.length;
    return block;
  }

  function get(number: number): string | undefined {
    const index = number >>> BLOCK_BITS;
    const within = number & (BLOCK - 1);
    if (index >= blocks.length) return index === blocks.length ? open[within] : undefined;
    const kept = blocks[index]!;
    const { text, ends } = 'text' in kept ? kept : load(index, kept);
    return text.slice(within === 0 ? 0 : ends[within - 1], ends[within]);
  }

  async function close(): Promise<void> {
    if (file < 0) return;
    closeSync(file);
    file = -1;
    await rm(path, { force: true });
  }
  return { add, get, size: () => blocks.length * BLOCK + open.length, close };
}

function blockOf(texts: string[]): Block {
  const ends = new Uint32Array(BLOCK);
  let end = 0;
  for (const [at, text] of texts.entries()) {
    end += text.length;
    ends[at] = end;
  }
  return { text: texts.join(''), ends };
}

function writeWhole(file: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, position + done);
}

function readWhole(file: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length;) {
    const count = readSync(file, bytes, done, bytes.length - done, position + done);
    if (count === 0) throw new Error('the file of strings was cut');
    done += count;
  }
}
