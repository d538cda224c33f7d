import { globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Plugin, PluginContext } from 'rolldown';
import { chunkOf } from './chunk-of.ts';

/** What is found while the program is bundled: its entries by the names of their files, and the data that it reads. */
export type Found = {
  entries: Map<string, string>;
  data: Set<string>;
  /** What libraries have beside their modules. */
  beside: Set<string>;
};

/** An address of a module (a thread, a child process, a task of a thread), and one of data. */
const MODULE_ADDRESS = /new URL\('(\.[^']*\.ts)', import\.meta\.url\)/gu;
const DATA_ADDRESS = /new URL\((?:'([^']+)'|`([^`]+)`), import\.meta\.url\)/gu;
/** A file that a library has beside its module. */
const BESIDE = /new URL\(['"]\.\/([\w.-]+)['"], import\.meta\.url\)/gu;
/** What these become. */
const OWN_ADDRESS = /new URL\('\.\.?\/[^']*', import\.meta\.url\)/gu;
/** What people read is beside the program in the package, and the program shows it. */
const DOCS = 'docs';
const OTHER_ADDRESS = /import\.meta\.(?:url|dirname|filename)/u;

/** Tables of charsets, which most files do without. */
const ICONV = 'iconv-lite.cjs';

/** Modules whose only work is to start one of their own calls waits for it at the top, which a script cannot. */
const TOP_AWAIT = /^await /gmu;

/**
 * Gives the modules of `src` the addresses that they have in the package, where all scripts are in one folder: an address of a module
 * becomes that of its entry, and one of data leads to the same path below that folder. Each module that is addressed becomes an entry.
 */
export function ownAddresses(root: string, found: Found): Plugin {
  const src = join(root, 'src/');
  return {
    name: 'own-addresses',
    buildStart() {
      this.emitFile({ type: 'chunk', id: 'iconv-lite', fileName: ICONV });
    },
    resolveId: (id) => (id === `./${ICONV}` ? { id, external: true } : null),
    load(id) {
      if (!id.startsWith(src)) return null;
      // Nothing is left to resolve, so that no hook has to be registered.
      if (id === join(src, 'threads/own-modules.ts'))
        return { code: 'export function resolveOwnModules() {}', moduleType: 'js' };
      // V8 reads a text faster than thousands of literals, and caches it as one piece.
      if (id.endsWith('.json')) return { code: jsonModule(readFileSync(id, 'utf8')), moduleType: 'js' };
      return null;
    },
    transform(code, id) {
      if (id.includes('/node_modules/')) {
        for (const [, name] of code.matchAll(BESIDE)) found.beside.add(join(dirname(id), name!));
        return null;
      }
      if (!id.startsWith(src) || !id.endsWith('.ts')) return null;
      const isEntry = [...found.entries.values()].includes(id);
      const changed = withLoader(code, id)
        .replace(TOP_AWAIT, isEntry ? 'void ' : 'await ')
        .replace(MODULE_ADDRESS, (_, address: string) => {
          return `new URL('./${entryFor(resolve(dirname(id), address), src, found, this)}', import.meta.url)`;
        })
        .replace(DATA_ADDRESS, (whole, plain?: string, template?: string) => {
          const address = plain ?? template ?? '';
          if (found.entries.has(basename(address))) return whole;
          const data = dataAt(root, id, address);
          if (data === DOCS) return `new URL('../${DOCS}/', import.meta.url)`;
          found.data.add(data);
          return whole.replace('import.meta.url', `new URL('./${relative(root, id)}', import.meta.url)`);
        });
      const rest = changed.replaceAll(OWN_ADDRESS, '');
      if (OTHER_ADDRESS.test(rest)) throw new Error(`${id} asks where it is in a way that a package cannot answer.`);
      return changed === code ? null : { code: changed, map: null };
    },
  };
}

function jsonModule(text: string): string {
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(text)))});`;
}

/** What a module loads by itself, it loads with the function that the scripts of the package are given. */
function withLoader(code: string, id: string): string {
  if (id.endsWith('/threads/thread-entry.ts'))
    return replaced(code, 'import(module)', 'Promise.resolve().then(() => require(module))', id);
  if (id.endsWith('/io/text-decode.ts')) {
    const free = replaced(code, 'const require = createRequire(import.meta.url);', '', id);
    return replaced(free, "require('iconv-lite')", `require('./${ICONV}').default`, id);
  }
  return code;
}

function replaced(code: string, old: string, by: string, id: string): string {
  if (!code.includes(old)) throw new Error(`${id} has no “${old}” any more.`);
  return code.replace(old, by);
}

/** The file of the entry of a module, which becomes one when it is addressed for the first time. */
function entryFor(module: string, src: string, { entries }: Found, context: PluginContext): string {
  const name = relative(src, module).replace(/\.ts$/u, '').replaceAll('/', '-');
  const file = `${name}.cjs`;
  if (!entries.has(file)) {
    entries.set(file, module);
    context.emitFile({ type: 'chunk', id: module, name, fileName: chunkOf(file) });
  }
  return file;
}

/** The file or folder that is read by an address, as a path of the checkout. */
function dataAt(root: string, module: string, address: string): string {
  const [fixed = '', ...others] = address.split('${');
  const there = others.length === 0 ? fixed : fixed.slice(0, fixed.lastIndexOf('/') + 1);
  const path = relative(root, resolve(dirname(module), there));
  statSync(join(root, path));
  return path;
}

/** The files of data of a path. */
export function filesOf(root: string, path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return globSync('**/*.*', { cwd: join(root, path) })
    .filter((file) => !/\.(?:ts|md)$/u.test(file))
    .map((file) => join(path, file));
}
