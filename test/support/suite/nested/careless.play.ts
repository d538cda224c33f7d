import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { staying } from './staying.ts';

const LISTEN = "require('node:net').createServer().listen(0, '127.0.0.1', () => console.log('ready'))";

test('a process with an environment of its own', () => {
  spawn(process.execPath, staying('alone'), { env: {}, stdio: 'ignore', detached: true });
});

test('a process that listens, and a failure', async () => {
  const child = spawn(process.execPath, ['-e', LISTEN], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  expect(child.pid).toBe(0);
});

test('a process that lost its parent and knows a folder only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orphan-'));
  const start = `require('node:child_process').spawn(process.execPath, ${JSON.stringify(staying('orphan'))}, { env: {}, detached: true, stdio: 'ignore' }).unref()`;
  const parent = spawn(process.execPath, ['-e', start], { cwd: folder, stdio: 'ignore' });
  await once(parent, 'exit');
});

test('a folder', () => {
  mkdtempSync(join(tmpdir(), 'folder-'));
});

test('a server of this process', async () => {
  await once(createServer().listen(0, '127.0.0.1'), 'listening');
});
