import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/suite/longest-first.ts';
import { filesOf } from './test/support/suite/parts.ts';

const [command, ...others] = process.argv.slice(2);
// What `related` names are modules, whose tests are looked for in the part.
const named = command === 'related' ? [] : others.filter((argument) => !argument.startsWith('-'));
const { include, exclude = [] } = filesOf(process.env['SUITE_PART'], named);

export default defineConfig({
  test: {
    include: include ?? ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...exclude],
    pool: 'forks',
    // Most tests wait for programs that they started: two test files more than there are cores keep the cores busy.
    maxWorkers: availableParallelism() + 2,
    // Only what hangs takes so long, also where a busy host leaves a tenth of the processor to its guests.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    restoreMocks: true,
    // A process for each file takes longer than most files; what a file leaves in the modules is put back by each-file.ts.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Nothing outlives the suite: docs/decisions/022.
    globalSetup: ['test/support/suite/whole-run.ts'],
    setupFiles: [
      'test/support/suite/each-file.ts',
      ...(process.env['SUITE_MEASURED'] ? ['test/support/suite/measure.ts'] : []),
    ],
    // Of the checkout's program too: stripped and compiled once, it costs a third less.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node-compile') },
  },
});
