// Serves the console of a filled home as `up` does, without a worker that would change it: `serve.ts CONFIGURATION HOME`. Says where on
// stdout, and how much memory and processor time it has taken for each line on stdin. Hooks are told, where there are some.
import { createInterface } from 'node:readline';
import { openContext } from '../../src/app/open-context.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createLog } from '../../src/log.ts';
import { openTelling } from '../../src/jobs/hooks/tell-hooks.ts';
import { startConsole } from '../../src/web/console.ts';

const [file, home] = process.argv.slice(2);
const loaded = await loadConfig({ file, home, env: process.env });
const log = await createLog({ level: 'info', pretty: false });
const { ctx, close } = await openContext(loaded, log);
const served = startConsole(loaded, ctx);
const stop = new AbortController();
const telling = openTelling(ctx, stop.signal);
const tellAgain = setInterval(() => void telling.tell(), 1000);
if (Object.keys(ctx.config.hooks).length === 0) clearInterval(tellAgain);
const lines = createInterface({ input: process.stdin });
lines.on('line', () => {
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ rss: process.memoryUsage().rss, cpu: (user + system) / 1000 }));
});
lines.on('close', () => {
  clearInterval(tellAgain);
  stop.abort();
  void Promise.all([served.close(), telling.settled()]).then(close);
});
