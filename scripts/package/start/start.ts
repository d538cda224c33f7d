/**
 * The first code of the installed program: loads its scripts with what V8 compiled of them in earlier processes, which takes a
 * fraction of the time, and leaves what it compiles in this one for the next. It is bundled by itself, as start.cjs.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, parse, sep } from 'node:path';
import { Script } from 'node:vm';
import { chunkOf } from '../chunk-of.ts';
import { placesOf, readCompiled, writeCompiled, type Compiled } from './compiled.ts';
import { mapStacks } from './stacks.ts';

type Module = { exports: unknown };
type Wrapped = (
  module: Module,
  exports: unknown,
  require: (name: string) => unknown,
  Import: (name: string) => Promise<unknown>,
  file: string,
  folder: string,
) => void;

/** Put in by the build: what the scripts are hashed to. */
declare const BUILD: string;

/** Processes that add to what is compiled of scripts that are all known; they may take other ways through them. */
const ENOUGH = 3;
/** The exit status of a command that could not be understood: it did nothing that is worth keeping. */
const MISUSED = 2;
/** A thread that is idle for the first time after so many milliseconds keeps what it compiled: most are ended without being asked. */
const THREAD_SAVES = 1000;
/** Options of the whole program that have a value. */
const VALUED = new Set(['--config', '--home']);

const folder = import.meta.dirname + sep;
const places = placesOf(import.meta.dirname, process.env);
const fromNode = createRequire(import.meta.filename);
const modules = new Map<string, Module>();
const scripts = new Map<string, Script>();
let known: Compiled | null = null;
let isNew = false;

/** Runs an entry of the program as the main script of this process or thread. */
export function start(entry: string): void {
  mapStacks(folder);
  const name = join(`build-${BUILD}-${process.version}-${process.arch}`, `${workOf(entry)}.bin`);
  known = readCompiled(places, name);
  const isPackaging = process.env['OFFERLINE_COMPILE'] === 'all';
  isNew = isPackaging || (known?.writes ?? 0) < ENOUGH;
  let saved = false;
  const save = () => {
    if (saved || !isNew || process.exitCode === MISUSED) return;
    saved = true;
    writeCompiled(places, name, () => ({
      writes: isPackaging ? ENOUGH : (known?.writes ?? 0) + 1,
      scripts: new Map([...(known?.scripts ?? []), ...[...scripts].map(compiledOf)]),
    }));
  };
  process.once('exit', save);
  if (isThread(entry)) setTimeout(save, THREAD_SAVES).unref();
  load(chunkOf(entry));
}

function compiledOf([file, script]: [string, Script]): [string, Buffer] {
  return [file, script.createCachedData()];
}

function isThread(entry: string): boolean {
  return entry.includes('thread');
}

/** What this process is there for: what it compiles depends on that. */
function workOf(entry: string): string {
  const { name } = parse(entry);
  if (isThread(entry)) {
    const { workerData } = process.getBuiltinModule('node:worker_threads');
    const module = (workerData as { module?: string } | null)?.module;
    return module === undefined ? name : `${name}.${parse(module).name}`;
  }
  const words = process.argv.slice(2);
  const word = words.find((one, at) => !one.startsWith('-') && !VALUED.has(words[at - 1] ?? ''));
  const command = word !== undefined && /^[a-z-]{1,20}$/u.test(word) ? `.${word}` : '';
  return `${name}${command}${words.includes('--help') || words.includes('-h') ? '.help' : ''}`;
}

/** Loads a script of the folder once. */
function load(file: string): unknown {
  const there = modules.get(file);
  if (there !== undefined) return there.exports;
  const module: Module = { exports: {} };
  modules.set(file, module);
  const path = folder + file;
  const cachedData = known?.scripts.get(file);
  const script = new Script(readFileSync(path, 'utf8'), {
    filename: path,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (script.cachedDataRejected !== false) isNew = true;
  scripts.set(file, script);
  (script.runInThisContext() as Wrapped)(module, module.exports, requireOwn, importFromNode, path, import.meta.dirname);
  return module.exports;
}

/** What the scripts require: one of them, the address of an entry, or a module of Node. */
function requireOwn(name: string): unknown {
  if (name.startsWith('./')) return load(name.slice(2));
  return name.startsWith('file:') ? load(chunkOf(basename(name))) : fromNode(name);
}

/** What they import when they run is Node's, or a module that stays one. */
function importFromNode(name: string): Promise<unknown> {
  return import(name);
}
