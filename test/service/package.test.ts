import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import * as service from '../../src/service/service.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { installed } from './installed.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

let examples: string[] = [];
let example = '';

beforeAll(async () => {
  const { url } = await sandboxForTest();
  const page = readFileSync(join(root, 'docs/service-client.md'), 'utf8');
  examples = [...page.matchAll(/```(?:js|ts)\n([^]*?)```/g)].map(([, text = '']) =>
    text.replace('http://127.0.0.1:8085', url),
  );
  example = examples[0] ?? '';
});

/** Runs a program of a folder under the Node of the tests. */
function node(folder: string, ...args: string[]): Promise<{ stdout: string }> {
  return run(process.execPath, args, { cwd: folder });
}

/** A folder that has the checkout by a link, as `npm install PATH` makes it. */
function linked(): string {
  const folder = tempFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/offerline'));
  return folder;
}

describe('the example of docs/service-client.md runs', () => {
  test('in the checkout', async () => {
    const { stdout } = await node(root, '--input-type=module', '--eval', example);
    expect(stdout).toMatch(/^Fjell 1\.6: {3}\S/m);
  });

  test('beside a checkout that is linked', async () => {
    const folder = linked();
    writeFileSync(join(folder, 'example.mjs'), example);
    expect((await node(folder, 'example.mjs')).stdout).toContain('Fjell 1.6: ');
  });

  test('and so do the others that ask the sandbox', async () => {
    const folder = linked();
    writeFileSync(
      join(folder, 'portfolio.txt'),
      'brand\toem\tname\ttags\nBOSCH\t0986\tOil filter\tfront\n\t1\tNone\t\n',
    );
    const others = examples.slice(1).filter((text) => !text.includes('parts.example'));
    const outputs: string[] = [];
    for (const [at, text] of others.entries()) {
      writeFileSync(join(folder, `${at}.mjs`), text);
      outputs.push((await node(folder, `${at}.mjs`)).stdout);
    }
    expect(outputs).toEqual([
      expect.stringMatching(/^200 \w{3}, .* GMT \d+\n$/),
      expect.stringMatching(/^100 %\n(?:\w+ \d\n)*success 2\n$/),
    ]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.errors'))).toHaveLength(1);
  });

  test('with the installed package, whose types are those of the source', async () => {
    const folder = await installed();
    writeFileSync(join(folder, 'example.mjs'), example);
    expect((await node(folder, 'example.mjs')).stdout).toContain('Fjell 1.6: ');
    writeFileSync(
      join(folder, 'typed.mts'),
      `import { createService } from 'offerline/service';
       const service = createService({ baseUrl: 'http://127.0.0.1:1' });
       const brand: string | undefined = (await service.search.search({ query: 'x' })).data[0]?.brand;
       // @ts-expect-error: the query must be given
       await service.search.search({});
       // @ts-expect-error: a brand is a text
       export const wrong: number | undefined = brand;`,
    );
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const settings = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', 'node'];
    expect(await node(folder, compiler, ...settings, 'typed.mts')).toMatchObject({ stdout: '' });
  });
});

test('the package exports what the source does', async () => {
  const entry = (await import(join(root, 'lib/service.js'))) as object;
  expect(Object.keys(entry).sort()).toEqual(Object.keys(service).sort());
});
