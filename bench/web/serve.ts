// Serves the console of a filled home as `up` does, without a worker that would change it: `serve.ts CONFIGURATION HOME`. Says where on
// stdout, and how much memory and processor time it has taken for each line on stdin.
import { createInterface } from 'node:readline';
import { openContext } from '../../src/app/open-context.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createLog } from '../../src/log.ts';
import { startConsole } from '../../src/web/console.ts';

const [file, home] = process.argv.slice(2);
const loaded = await loadConfig({ file, home, env: process.env });
const log = await createLog({ level: 'info', pretty: false });
const { ctx, close } = await openContext(loaded, log);
const served = startConsole(loaded, ctx);
const lines = createInterface({ input: process.stdin });
lines.on('line', () => {
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ rss: process.memoryUsage().rss, cpu: (user + system) / 1000 }));
});
lines.on('close', () => void served.close().then(close));
