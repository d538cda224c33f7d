import { globSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { tempFolder } from './temp-folder.ts';

const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
const inCi = (process.env['CI'] ?? '') !== '';

/** Whether programs can be started here whose wall clock jumps: with Debian's package faketime, and always in CI. */
export const canFakeTime = library !== undefined || inCi;

/** A test of programs whose wall clock jumps; skipped by name where the library is missing, but never in CI. */
export const clockTest = test.skipIf(!canFakeTime);

/** The wall clock of programs that are started with `env`. */
export type FakeTime = {
  env: NodeJS.ProcessEnv;
  /** Sets it forward by so many seconds, or back, also for those that run. Their monotonic clock goes on as it did. */
  jump: (seconds: number) => void;
};

/** A wall clock that agrees with the machine's until it jumps. */
export function fakeTime(): FakeTime {
  if (library === undefined) throw new Error('These tests need libfaketime: install the package faketime.');
  const folder = tempFolder();
  const file = join(folder, 'offset');
  let offset = 0;
  const write = () => {
    // Read at every question for the time: it must never be half there.
    writeFileSync(`${file}.new`, `${offset < 0 ? '' : '+'}${offset}\n`);
    renameSync(`${file}.new`, file);
  };
  write();
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    jump: (seconds) => {
      offset += seconds;
      write();
    },
  };
}
