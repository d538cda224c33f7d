import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** What V8 compiled of each script in earlier processes that did the same work, and how many of them have added to it. */
export type Compiled = { scripts: Map<string, Buffer>; writes: number };

/** Folders in the order in which compiled code is looked for, and in that in which it is written. */
export type Places = { read: string[]; write: string[] };

type Head = { writes: number; end: number; scripts: Record<string, readonly [from: number, to: number]> };

/** V8 wants to find what it compiled at such an address. */
const ALIGNED = 8;
/** Folders of other versions are removed once they are as old, in milliseconds. */
const OLD = 30 * 86_400_000;

/** Where compiled code may be: as the environment says, else beside the program, else in the user's cache. */
export function placesOf(program: string, env: NodeJS.ProcessEnv): Places {
  const own = join(program, 'compiled');
  const set = env['NODE_COMPILE_CACHE'];
  const cache = env['XDG_CACHE_HOME'] || (env['HOME'] && join(env['HOME'], '.cache'));
  const [first, users] = [set ? [set] : [], cache ? [join(cache, 'offerline')] : []];
  return { read: [...first, ...users, own], write: [...first, own, ...users] };
}

/** Reads what was compiled for some work; null where nothing was, or where the file is not whole. */
export function readCompiled(places: Places, name: string): Compiled | null {
  for (const place of places.read) {
    try {
      return unpack(readFileSync(join(place, name)));
    } catch {
      // It is not there, may not be read, or is damaged.
    }
  }
  return null;
}

/**
 * Writes what `make` gives to the first place that may be written, whole on the disk before it has its name, because V8 trusts what it
 * is given. Where no place may be written nothing is made, and the program works without.
 */
export function writeCompiled(places: Places, name: string, make: () => Compiled): void {
  const opened = openFirst(places.write, name);
  if (opened === null) return;
  const { file, part, path } = opened;
  try {
    for (const piece of pack(make())) writeSync(file, piece);
    fsyncSync(file);
    renameSync(part, path);
  } catch {
    // The disk is full: the next process may have more luck.
    rmSync(part, { force: true });
  } finally {
    closeSync(file);
  }
}

type Opened = { file: number; part: string; path: string };

/** Opens a file for it that everybody may read, since it holds nothing but the program; null where none may be written. */
function openFirst(places: string[], name: string): Opened | null {
  for (const place of places) {
    const path = join(place, name);
    const part = `${path}.${process.pid}`;
    try {
      if (mkdirSync(dirname(path), { recursive: true }) !== undefined) {
        for (const folder of [place, dirname(path)]) chmodSync(folder, 0o755);
        removeOld(place, Date.now() - OLD);
      }
      const file = openSync(part, 'w');
      fchmodSync(file, 0o644);
      return { file, part, path };
    } catch {
      // The next one.
    }
  }
  return null;
}

function pack({ scripts, writes }: Compiled): Buffer[] {
  let end = 0;
  const pieces = [...scripts.values()].map((bytes) => padded(bytes));
  const placed = [...scripts].map(([name, bytes], at) => {
    const from = end;
    end += pieces[at]!.length;
    return [name, [from, from + bytes.length]] as const;
  });
  const head = JSON.stringify({ writes, end, scripts: Object.fromEntries(placed) } satisfies Head);
  return [padded(Buffer.from(`${head}\n`)), ...pieces];
}

function padded(bytes: Buffer): Buffer {
  const missing = (ALIGNED - (bytes.length % ALIGNED)) % ALIGNED;
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)]);
}

function unpack(bytes: Buffer): Compiled {
  const headEnd = bytes.indexOf('\n') + 1;
  const { writes, end, scripts } = JSON.parse(bytes.toString('utf8', 0, headEnd)) as Head;
  const body = bytes.subarray(Math.ceil(headEnd / ALIGNED) * ALIGNED);
  if (body.length !== end) throw new Error('The file was cut.');
  const parts = Object.entries(scripts).map(([name, [from, to]]) => [name, body.subarray(from, to)] as const);
  return { writes, scripts: new Map(parts) };
}

function removeOld(place: string, before: number): void {
  for (const entry of readdirSync(place)) {
    const path = join(place, entry);
    if (entry.startsWith('build-') && statSync(path).mtimeMs < before) rmSync(path, { recursive: true, force: true });
  }
}
