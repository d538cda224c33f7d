import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import {
  rolldown,
  type CodeSplittingGroup,
  type InputOptions,
  type OutputChunk,
  type Plugin,
  type RolldownOutput,
} from 'rolldown';
import { VERSION } from '../../src/version.ts';
import { filesOf, ownAddresses, type Found } from './own-addresses.ts';
import { chunkOf } from './chunk-of.ts';
import { madeWhenNeeded } from './made-when-needed.ts';

/** The file that runs the command line, and its entry in the package. */
const COMMAND_LINE = 'src/cli/main.ts';
export const MAIN = 'cli-main.cjs';

/** Accelerators in native code, which libraries load where they are installed, and do without. */
const OPTIONAL = ['cpu-features', 'pg-native', 'msgpackr-extract', '@opentelemetry/api', /\.node$/u];

/** The function that start.ts calls a script as. */
const BANNER = '(function (module, exports, require, Import, __filename, __dirname) {';
const FOOTER = '\n})';

/** Where the command line names the files of its commands. */
const COMMANDS = /: \(\) => import\('(\.\/[a-z]+\/[a-z-]+\.ts)'\)/gu;

/**
 * What is loaded together is one script: what every process and thread needs, what the commands say of themselves, what reads a file, and
 * what opens an installation. Where a module belongs to several, the first of them has it.
 */
function groupsOf(root: string): CodeSplittingGroup[] {
  const files = globSync('src/cli/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
  const named = files.flatMap((code) => [...code.matchAll(COMMANDS)].map(([, file]) => join('src/cli', file!)));
  const commands = new Set(named.map((file) => join(root, file)));
  return [
    { name: 'base', test: modules('errors', 'threads/thread', 'cli/(?:io|umask)'), priority: 5 },
    { name: 'commands', test: (id) => commands.has(id), priority: 4 },
    {
      name: 'shared',
      test: modules('config/supplier', 'config/schema/(?:default|feed-set|match).*', SMALL),
      priority: 3,
    },
    {
      name: 'read',
      test: modules('cli/files/(?:check-(?!guards)|output).*', 'jobs/read/read.*', 'validate/.*', 'detect/.*'),
      priority: 2,
    },
    { name: 'installation', test: modules('config/load', 'ledger/ledger', 'app/open-.*', 'log'), priority: 1 },
  ];
}

/** Modules of a few lines that both of the last two need. */
const SMALL =
  'remembered|values/(?:placeholders|spreadsheet)|wording/reasons/.*|io/(?:crypto|refusal|text-|dictionary|tidy|read-|byte-).*|archive/(?:kept-file|lines)|parts/.*';

function modules(...paths: string[]): RegExp {
  return new RegExp(`/src/(?:${paths.join('|')})\\.ts$`, 'u');
}

/** Bundles the program into a folder, entry by entry; answers with the files of all modules that are inside. */
export async function bundleProgram(root: string, folder: string): Promise<string[]> {
  const found: Found = { entries: new Map([[MAIN, join(root, COMMAND_LINE)]]), data: new Set(), beside: new Set() };
  const output = await bundle(root, folder, {
    input: { [MAIN.replace('.cjs', '')]: join(root, COMMAND_LINE) },
    external: OPTIONAL,
    plugins: [ownAddresses(root, found), madeWhenNeeded(root), importsByFunction()],
  });
  // What starts something when it is loaded would start it wherever a script needs a function of it.
  const starts = output
    .filter(({ isEntry, exports }) => isEntry && exports.length === 0)
    .map(({ fileName }) => fileName);
  const wrong = output.filter(({ imports }) => imports.some((file) => starts.includes(file)));
  if (wrong.length > 0) throw new Error(`${wrong[0]!.fileName} loads a script that starts something.`);
  const build = createHash('sha256');
  for (const { code, fileName } of output) build.update(fileName).update(code);
  const start = await bundleStart(folder, build.digest('hex').slice(0, 12));
  for (const entry of found.entries.keys()) writeFileSync(join(folder, entry), startOf(entry));
  for (const path of found.data) {
    for (const file of filesOf(root, path)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(root, file), join(folder, file));
    }
  }
  for (const file of found.beside) cpSync(file, join(folder, basename(file)));
  return [...output, ...start].flatMap(({ moduleIds }) => moduleIds);
}

/** A script that V8 gets from us cannot import by itself. The name is as long, so that the maps stay right. */
function importsByFunction(): Plugin {
  return {
    name: 'imports-by-function',
    renderChunk: (code) => ({ code: code.replaceAll(/(?<![\w$.'"`])import\(/gu, 'Import('), map: null }),
  };
}

/** `--version` asks for nothing that is worth loading. */
function startOf(entry: string): string {
  const start = `require('./start.cjs').start('${entry}');\n`;
  if (entry !== MAIN) return start;
  return `if (process.argv.length === 3 && process.argv[2] === '--version') {
  try {
    require('node:fs').writeSync(1, '${VERSION}\\n');
  } catch {
    ${start}  }
} else ${start}`;
}

async function bundle(root: string, folder: string, input: InputOptions): Promise<OutputChunk[]> {
  const bundled = await rolldown({ ...COMMON, ...input });
  const output = await bundled.write({
    dir: folder,
    format: 'cjs',
    codeSplitting: { groups: groupsOf(root) },
    entryFileNames: ({ name }) => chunkOf(`${name}.cjs`),
    chunkFileNames: '[name]-[hash].cjs',
    banner: BANNER,
    footer: FOOTER,
    ...mapsFrom(root, folder),
  });
  return chunksOf(output);
}

async function bundleStart(folder: string, build: string): Promise<OutputChunk[]> {
  const bundled = await rolldown({
    ...COMMON,
    input: join(import.meta.dirname, 'start/start.ts'),
    transform: { define: { BUILD: JSON.stringify(build) } },
  });
  return chunksOf(await bundled.write({ file: join(folder, 'start.cjs'), format: 'cjs', minify: WITHOUT_BLANKS }));
}

const COMMON: InputOptions = { platform: 'node', tsconfig: false, logLevel: 'silent' };

/** Names stay: errors and stacks say them. */
const WITHOUT_BLANKS = { mangle: false, compress: false, codegen: { removeWhitespace: true } } as const;

/** Maps of the places alone, which name the sources as they are in the checkout. */
function mapsFrom(root: string, folder: string) {
  return {
    minify: WITHOUT_BLANKS,
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
    sourcemapPathTransform: (source: string) => relative(root, join(folder, source)),
  } as const;
}

function chunksOf({ output }: RolldownOutput): OutputChunk[] {
  return output.filter((one) => one.type === 'chunk');
}
