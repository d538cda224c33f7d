#!/usr/bin/env node
// Runs a script under the Node that package.json pins as an optional dependency: `node bin/pinned.mjs SCRIPT [ARG …]`.
// This file must load on old Node versions, so it uses nothing newer than Node 14.
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const REQUIRED = '24.0.0';

function pinnedNode() {
  const require = createRequire(import.meta.url);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  try {
    const folder = dirname(require.resolve(`${name}/package.json`));
    const file = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    // What an interrupted installation left empty would end well, and do nothing.
    return statSync(file).size > 0 ? file : undefined;
  } catch {
    return undefined;
  }
}

function isNewEnough(version) {
  return Number(version.split('.')[0]) >= Number(REQUIRED.split('.')[0]);
}

const node = pinnedNode() ?? (isNewEnough(process.versions.node) ? process.execPath : undefined);
if (node === undefined) {
  process.stderr.write(
    `offerline needs Node ${REQUIRED} or newer; this is ${process.versions.node}. ` +
      'Run `npm ci` (it installs the pinned Node for this platform) or install Node 24.\n',
  );
  process.exit(2);
}

const child = spawn(node, process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  process.stderr.write(`Cannot start ${node}: ${error.message}\n`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(signal === 'SIGINT' ? 130 : signal ? 143 : code));
