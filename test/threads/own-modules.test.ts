import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const SRC = new URL('../../src/', import.meta.url).href;

test('a module of ours is the same one, imported before modules are resolved by address or after', () => {
  expect(
    printedBy(`
      const before = await import('${SRC}errors.ts');
      const { resolveOwnModules } = await import('${SRC}threads/own-modules.ts');
      resolveOwnModules();
      const { fromThread } = await import('${SRC}threads/thread.ts');
      const error = fromThread({ known: true, code: 'usage', message: 'No.', retryable: false, details: {} });
      console.log(error instanceof before.OfferlineError);
    `),
  ).toBe('true\n');
});

test('packages, data and what is missing are left to Node', () => {
  expect(
    printedBy(`
      const { resolveOwnModules } = await import('${SRC}threads/own-modules.ts');
      resolveOwnModules();
      const { meaningsOf } = await import('${SRC}columns/column-names.ts');
      const { decodeBytes } = await import('${SRC}io/text-decode.ts');
      const missing = await import('./missing.ts').catch((error) => error.code);
      console.log(meaningsOf('Brand')[0].meaning, decodeBytes(Buffer.from([0xc1]), 'windows-1251'), missing);
    `),
  ).toBe('brand Б ERR_MODULE_NOT_FOUND\n');
});

function printedBy(script: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
}
