import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';

test('its worker is killed', async () => {
  mkdtempSync(join(tmpdir(), 'dead-'));
  spawn('sleep', ['3000'], { stdio: 'ignore', detached: true });
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
});
