import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/service-client.md'), 'utf8');
const examples = [...page.matchAll(/```(?:js|ts)\n([^]*?)```/g)].map(([, text = '']) => text);

/** Compiles a module that imports `offerline/service` under `strict`; gives what the compiler says. */
async function compiled(text: string): Promise<string> {
  const folder = tempFolder();
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      strict: true,
      noEmit: true,
      paths: {
        'offerline/service': [join(root, 'src/service/service.ts')],
        undici: [join(root, 'node_modules/undici/index.d.ts')],
      },
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: [],
    files: ['example.mts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  writeFileSync(join(folder, 'example.mts'), text);
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  return run(process.execPath, [compiler, '-p', folder]).then(
    () => '',
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

test('every example of the page compiles under strict', async () => {
  expect(examples.length).toBeGreaterThan(0);
  expect(await Promise.all(examples.map(compiled))).toEqual(examples.map(() => ''));
});

test('an example that leaves out what a call needs does not', async () => {
  const wrong = examples[0]!.replace('({ catalog, vehicleId, ssd })', '({ vehicleId, ssd })');
  expect(await compiled(wrong)).toContain("Property 'catalog' is missing");
});
