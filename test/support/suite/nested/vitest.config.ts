import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Plays the files of this folder, which keep the rules of the suite or break them. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.play.ts'],
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: [join(import.meta.dirname, '../whole-run.ts')],
    setupFiles: [join(import.meta.dirname, '../each-file.ts')],
  },
});
