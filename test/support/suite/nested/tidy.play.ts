import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { staying } from './staying.ts';

test('ends what it starts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidy-'));
  const child = spawn(process.execPath, staying('ends'), { cwd: folder });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  child.kill('SIGKILL');
  await once(child, 'exit');
  rmSync(folder, { recursive: true });
});
