// The main job on the sample suppliers of examples/: `npm run demo`. Starts the built-in sandbox and a private or embedded
// Redis, ingests every feed of config/offerline.yaml and ends with a table. With OFFERLINE_DEMO_CHECK=1 it compares the
// table with what the samples must give and fails when they differ.
import { rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { table } from '../src/cli/table.ts';
import { loadConfig } from '../src/config/load.ts';
import { answerOf } from '../src/jobs/queries/answer.ts';
import { workUntilDone } from '../src/jobs/queue/work-until.ts';
import { mailsOf } from '../src/ledger/alerts/mails.ts';
import { createRun } from '../src/ledger/runs/runs.ts';
import { createLog } from '../src/log.ts';
import type { RunAnswer } from '../src/model.ts';
import { openContext } from '../src/app/open-context.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const HEAD = ['feed', 'outcome', 'read', 'live', 'rejected here', 'rejected there', 'offer id'];

/** What the samples must give: feed, outcome, rows read, live, rejected here, rejected there. */
const EXPECTED: Record<string, [string, number, number, number, number]> = {
  north: ['partial', 900, 895, 0, 3],
  rhein: ['live', 600, 600, 0, 0],
  lyon: ['partial', 500, 497, 0, 3],
  gdansk: ['live', 1200, 1200, 0, 0],
  tagged: ['partial', 300, 290, 10, 0],
  nameless: ['partial', 400, 375, 25, 0],
  headless: ['rejected', 0, 0, 0, 0],
};

const home = `${ROOT}.offerline/demo`;
await rm(home, { recursive: true, force: true });
const loaded = await loadConfig({ file: `${ROOT}config/offerline.yaml`, home, env: { ...process.env } });
const log = await createLog({ level: process.env['LOG_LEVEL'] ?? 'warn', pretty: process.stderr.isTTY });
const { ctx, close } = await openContext(loaded, log);
const say = (text: string) => process.stderr.write(`${text}\n`);
try {
  const started = Date.now();
  say('offerline demo: the sample suppliers of examples/ are ingested into a SANDBOX of the service.');
  const runs: string[] = [];
  for (const [feed, { login }] of Object.entries(ctx.config.feeds)) {
    const options = { wait: true };
    runs.push(
      await createRun(ctx.ledger.db, { feed, login, cause: 'manual', options, sandbox: true, now: Date.now() }),
    );
  }
  await workUntilDone(runs, ctx, {
    redisUrl: loaded.redisUrl,
    signal: new AbortController().signal,
    notice: say,
    say: (text) => say(`  ${text}`),
  });
  const answers = await Promise.all(runs.map((run) => answerOf(run, ctx)));
  const mails = await mailsOf(ctx.ledger.db, runs);
  console.log(`\n${table(HEAD, answers.map(row), { numeric: ['read', 'live', 'rejected here', 'rejected there'] })}\n`);
  const worth = answers.find((answer) => answer.rejectionsTotal > 0);
  console.log(`report  ${show(worth?.reports?.html ?? '')}`);
  for (const mail of mails) console.log(`mail    ${mail.recipient.padEnd(24)} ${show(mail.sent_to ?? '')}`);
  console.log(
    `\n${((Date.now() - started) / 1000).toFixed(1)} s. Look at a report in a browser, and at the state with:`,
  );
  console.log(`  bin/offerline runs --home ${show(home)}`);
  if (process.env['OFFERLINE_DEMO_CHECK'] === '1') check(answers);
} finally {
  await close();
}

function row(answer: RunAnswer): string[] {
  const { read, live, rejectedLocally, rejectedRemotely } = answer.rows;
  const counts = [read, live, rejectedLocally, rejectedRemotely].map(String);
  return [answer.feed, answer.outcome ?? '', ...counts, answer.upload?.offerId ?? ''];
}

function check(answers: RunAnswer[]): void {
  for (const answer of answers) {
    const got = row(answer).slice(1, 6).join(' ');
    const expected = EXPECTED[answer.feed]?.join(' ');
    if (got === expected && answer.rows.unexplained === 0) continue;
    say(`${answer.feed}: expected ${expected}, got ${got} (${answer.reason ?? 'no reason'})`);
    process.exitCode = 1;
  }
  if (process.exitCode === undefined) console.log('\nThe table is what the samples must give.');
}

function show(path: string): string {
  return relative(process.cwd(), path);
}
