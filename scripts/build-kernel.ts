/**
 * Compiles kernel/, the patterns of src/validate/patterns/slow-path-patterns.ts and the tables of kernel-tables.ts beside it into files
 * of src/validate/fast/wasm, and kernel/join into one of src/jobs/read/joined/kernel: `npm run build:kernel`. With `--check` nothing is written; the
 * exit status is 1 when a committed file is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as asc from 'assemblyscript/asc';
import { compilePatterns } from '../src/validate/patterns/slow-path-patterns.ts';
import { PATTERNS_FILE, packPatterns } from '../src/validate/fast/wasm/patterns-file.ts';
import { TABLES_FILE, packTables } from '../src/validate/fast/wasm/tables-file.ts';
import { kernelTables } from '../src/validate/patterns/kernel-tables.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const KERNEL_FILE = new URL('../src/validate/fast/wasm/kernel.wasm', import.meta.url);
const JOIN_FILE = new URL('../src/jobs/read/joined/kernel/join.wasm', import.meta.url);

const OPTIONS = [
  '--optimizeLevel=3',
  '--converge',
  '--noAssert',
  '--runtime=stub',
  '--initialMemory=16',
  '--maximumMemory=65536',
  // The memory of a kernel is that of all threads.
  '--enable=simd,relaxed-simd,threads',
  '--importMemory',
  '--sharedMemory',
];

/** Marks a function to be inlined. It is a comment because formatters do not accept a decorator on a function. */
const INLINE = /^\/\/ (?=@inline$)/gm;

/** A compiled kernel; throws with the compiler's messages. */
async function compileKernel(entry: string): Promise<Uint8Array> {
  let compiled: Uint8Array | undefined;
  const stderr = asc.createMemoryStream();
  const { error } = await asc.main([entry, '--outFile=kernel.wasm', '--baseDir', ROOT, ...OPTIONS], {
    stderr,
    readFile: (name, folder) => {
      const path = resolve(folder, name);
      return existsSync(path) ? readFileSync(path, 'utf8').replaceAll(INLINE, '') : null;
    },
    writeFile: (_name, contents) => {
      compiled = typeof contents === 'string' ? undefined : contents;
    },
  });
  if (error !== null || compiled === undefined) throw new Error(`${entry} does not compile: ${stderr.toString()}`);
  return compiled;
}

/** The generated files of the repository, by path. */
export async function kernelFiles(): Promise<{ path: URL; contents: Uint8Array }[]> {
  return [
    { path: KERNEL_FILE, contents: await compileKernel('kernel/index.ts') },
    { path: JOIN_FILE, contents: await compileKernel('kernel/join/index.ts') },
    { path: PATTERNS_FILE, contents: packPatterns(compilePatterns()) },
    { path: TABLES_FILE, contents: packTables(kernelTables()) },
  ];
}

if (import.meta.main) {
  for (const { path, contents } of await kernelFiles()) {
    if (!process.argv.includes('--check')) writeFileSync(path, contents);
    else if (!readFileSync(path).equals(contents)) {
      console.error(`${fileURLToPath(path)} is out of date. Run: npm run build:kernel`);
      process.exitCode = 1;
    }
  }
}
