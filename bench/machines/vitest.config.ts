import { defineConfig } from 'vitest/config';

// The servers of the tests are started and ended by hooks of the test runner.
export default defineConfig({
  test: { include: ['bench/machines/machines.ts'], testTimeout: 10_800_000, hookTimeout: 180_000, reporters: ['dot'] },
});
