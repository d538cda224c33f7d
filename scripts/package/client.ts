import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';

/** Where the client is in the package, and where its types are. */
export const CLIENT = 'service/service.js';
export const TYPES = 'service/types/service/service.d.ts';

/** Libraries whose types those of the client name; theirs come along, so that nothing else has to be installed. */
const TYPED: Record<string, string> = { zod: 'module', undici: 'commonjs' };

const IMPORTED = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/gu;

/** Bundles the client of the service as one module with its types; answers with the files of the modules that are inside. */
export async function bundleClient(root: string, folder: string): Promise<string[]> {
  const bundled = await rolldown({
    input: join(root, 'src/service/service.ts'),
    platform: 'node',
    tsconfig: false,
    // What an older Node cannot read it could not refuse in words either.
    transform: { target: 'node20' },
    logLevel: 'silent',
  });
  const { output } = await bundled.write({
    file: join(folder, CLIENT),
    format: 'esm',
    codeSplitting: false,
    sourcemap: true,
    sourcemapExcludeSources: true,
    sourcemapPathTransform: (source) => relative(root, join(dirname(join(folder, CLIENT)), source)),
  });
  writeTypes(root, join(folder, 'service/types'));
  return output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []));
}

function writeTypes(root: string, types: string): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.types.json', '--outDir', types], {
    cwd: root,
    stdio: 'inherit',
  });
  for (const file of globSync('**/*.d.ts', { cwd: types })) {
    const path = join(types, file);
    const code = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      code.replace(IMPORTED, (whole, name: string) =>
        Object.hasOwn(TYPED, name)
          ? whole.replace(name, `${relative(dirname(file), `libraries/${name}`)}/index.js`)
          : whole,
      ),
    );
  }
  for (const [name, type] of Object.entries(TYPED)) {
    const [from, to] = [join(root, 'node_modules', name), join(types, 'libraries', name)];
    for (const file of closureOf(join(from, 'index.d.ts'))) {
      const target = join(to, relative(from, file));
      mkdirSync(dirname(target), { recursive: true });
      cpSync(file, target);
    }
    writeFileSync(join(to, 'package.json'), `${JSON.stringify({ type })}\n`);
  }
}

/** The files of types that one of them leads to. */
function closureOf(first: string): Set<string> {
  const found = new Set([first]);
  for (const file of found) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(IMPORTED)) {
      if (name.startsWith('.')) found.add(`${resolve(dirname(file), name).replace(/(?:\.d)?\.[jt]s$/u, '')}.d.ts`);
    }
  }
  return found;
}
