import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { docPages } from '../../src/documentation/page.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('npm run docs writes every page, and each link leads to a file', () => {
  const folder = join(tempFolder(), 'site');
  execFileSync(process.execPath, ['scripts/write-docs-site.ts', folder]);
  for (const name of docPages().keys()) {
    const file = join(folder, `${name}.html`);
    const links = [...readFileSync(file, 'utf8').matchAll(/(?:href|src)="([^"#]+)/gu)].map(([, link]) => link!);
    const local = links.filter((link) => !link.startsWith('http'));
    expect(local.filter((link) => !existsSync(join(file, '..', link)))).toEqual([]);
  }
});
