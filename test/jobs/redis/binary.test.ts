import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBinary } from '../../../src/jobs/redis/binary.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function program(name: string, says: string): string {
  const folder = tempFolder();
  writeFileSync(join(folder, name), `#!/bin/sh\n${says}\n`);
  chmodSync(join(folder, name), 0o755);
  return folder;
}

test('a server program on the search path is found first', async () => {
  const folder = program('valkey-server', 'echo "Valkey server v=8.1.1 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64"');
  const { binary } = await findBinary(folder);
  expect(binary).toEqual({ file: join(folder, 'valkey-server'), name: 'valkey-server', version: '8.1.1' });
});

test('programs that are too old or do not run are passed over, with the reason', async () => {
  const old = program('redis-server', 'echo "Redis server v=5.0.7 sha=00000000:0 malloc=jemalloc-5.1.0 bits=64"');
  const broken = program('redis-server', 'exit 127');
  const { binary, unfit } = await findBinary(`${old}:${broken}:relative/bin`);
  expect([old, broken]).not.toContain(binary?.file);
  expect(unfit).toEqual([
    `${join(old, 'redis-server')} is version 5.0.7; at least 6.2.0 is needed`,
    expect.stringContaining(`${join(broken, 'redis-server')} does not run`),
  ]);
});
