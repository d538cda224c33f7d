import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { staying } from './staying.ts';

test('waits until it is interrupted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waits-'));
  spawn(process.execPath, staying('waits'), { env: {}, cwd: folder, stdio: 'ignore', detached: true });
  writeFileSync(process.env['TELL'] ?? '', JSON.stringify({ root: process.env['SUITE_ROOT'] }));
  await new Promise(() => {});
}, 600_000);
