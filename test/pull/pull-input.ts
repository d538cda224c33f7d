import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { PullInput } from '../../src/pull/source.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** What a pull of a test is given: no checkpoint, a target of its own, a minute's distance from every file's time. */
export function pullInput(changes: Partial<PullInput> = {}): PullInput {
  return {
    checkpoint: null,
    target: join(tempFolder(), 'pulled'),
    limits: { fileSize: 1_000_000, unpackRatio: 1000 },
    now: () => Date.now() + 60_000,
    wait: () => turn(),
    ...changes,
  };
}
