// Loaded into every measured process, at as little cost as can be: leaves its peak memory, its longest pause and its processor
// time in the file that BENCH_PROBE names.
const { isMainThread } = require('node:worker_threads');

const path = process.env['BENCH_PROBE'];
if (isMainThread && path !== undefined) {
  const { writeFileSync } = require('node:fs');
  const { monitorEventLoopDelay } = require('node:perf_hooks');
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  process.on('exit', () => {
    const pauseMs = delay.max / 1e6;
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
    writeFileSync(path, JSON.stringify({ peakMb: maxRSS / 1024, pauseMs, cpuSeconds }));
  });
}
