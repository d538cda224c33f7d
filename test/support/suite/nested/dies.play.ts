import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { staying } from './staying.ts';

test('its worker is killed', async () => {
  mkdtempSync(join(tmpdir(), 'dead-'));
  spawn(process.execPath, staying('of the dead'), { stdio: 'ignore', detached: true });
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
});
