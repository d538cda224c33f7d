import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';

/** Milliseconds; a parser fills some 50 MB in this time. */
const INTERVAL = 25;
const memory = workerData as number;

/**
 * Watches the process from a thread of its own, because the parser leaves the main thread no time: more memory than it may
 * have ends the process, and so does the end of its parent, which closes the standard input.
 */
const parent = new Socket({ fd: 0, readable: true, writable: false });
parent.on('close', end);
parent.on('error', end);
parent.resume();
setInterval(() => {
  if (process.memoryUsage.rss() > memory) end();
}, INTERVAL);

function end(): void {
  process.kill(process.pid, 'SIGKILL');
}
