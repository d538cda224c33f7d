/** Measures what pages of the console ask of a large installation, in one warm process: `node bin/pinned.mjs bench/web/standing.ts`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContext } from '../../src/app/open-context.ts';
import { loadConfig } from '../../src/config/load.ts';
import { feedStates, leavingStates } from '../../src/jobs/standing/feed-state.ts';
import { loginStates } from '../../src/jobs/standing/login-state.ts';
import { statusOf } from '../../src/jobs/standing/status.ts';
import { createLog } from '../../src/log.ts';
import { configure, fillHome, LARGE } from './fill-ledger.ts';

const ROUNDS = 40;

const folder = mkdtempSync(join(tmpdir(), 'bench-standing-'));
try {
  const file = configure(folder, LARGE);
  const home = join(folder, 'home');
  await fillHome(file, home, LARGE);
  const log = await createLog({ level: 'error', pretty: false });
  const { ctx, close } = await openContext(await loadConfig({ file, home, env: {} }), log);
  const questions = { statusOf, feedStates, loginStates, leavingStates };
  for (const [name, ask] of Object.entries(questions)) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const began = performance.now();
      await ask(ctx);
      times.push(performance.now() - began);
    }
    const [first = 0] = times;
    const sorted = times.slice(5).sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(1);
    console.log(`${name}: median ${at(0.5)} ms, 90 % within ${at(0.9)} ms, first ${first.toFixed(0)} ms`);
  }
  await close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
