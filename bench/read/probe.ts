// Loaded into every measured process: leaves its peak memory and its longest pause in the file that BENCH_PROBE names.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const path = process.env['BENCH_PROBE'];
if (isMainThread && path !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  process.on('exit', () => {
    const pauseMs = delay.max / 1e6;
    writeFileSync(path, JSON.stringify({ peakMb: process.resourceUsage().maxRSS / 1024, pauseMs }));
  });
}
