/**
 * Compiles kernel/ into src/validate/kernel/kernel.wasm: `npm run build:kernel`. With `--check` nothing is written; the exit
 * status is 1 when the committed file is not what the source makes.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as asc from 'assemblyscript/asc';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TARGET = new URL('../src/validate/kernel/kernel.wasm', import.meta.url);

const OPTIONS = [
  '--optimizeLevel=3',
  '--converge',
  '--noAssert',
  '--runtime=stub',
  '--enable=simd,threads',
  '--importMemory',
  '--sharedMemory',
  '--initialMemory=16',
  '--maximumMemory=65536',
];

/** A function that is to be compiled where it is called; as a comment, for a decorator there is no TypeScript to formatters. */
const INLINE = /^\/\/ (?=@inline$)/gm;

/** The compiled kernel; throws with the compiler's messages. */
export async function compileKernel(): Promise<Uint8Array> {
  let compiled: Uint8Array | undefined;
  const stderr = asc.createMemoryStream();
  const { error } = await asc.main(['kernel/index.ts', '--outFile=kernel.wasm', '--baseDir', ROOT, ...OPTIONS], {
    stderr,
    readFile: (name, folder) => {
      const path = resolve(folder, name);
      return existsSync(path) ? readFileSync(path, 'utf8').replaceAll(INLINE, '') : null;
    },
    writeFile: (_name, contents) => {
      compiled = typeof contents === 'string' ? undefined : contents;
    },
  });
  if (error !== null || compiled === undefined) throw new Error(`The kernel does not compile: ${stderr.toString()}`);
  return compiled;
}

if (import.meta.main) {
  const compiled = await compileKernel();
  if (!process.argv.includes('--check')) writeFileSync(TARGET, compiled);
  else if (!readFileSync(TARGET).equals(compiled)) {
    console.error('src/validate/kernel/kernel.wasm is not what kernel/ makes. Run: npm run build:kernel');
    process.exitCode = 1;
  }
}
