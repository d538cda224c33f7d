import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openContext } from '../../src/app/open-context.ts';
import { machineClock, type Clock } from '../../src/clock.ts';
import { loadConfig, type LoadedConfig } from '../../src/config/load.ts';
import type { Context } from '../../src/context.ts';
import { notifyOfDigests } from '../../src/jobs/alerts/digests.ts';
import { notifyOfIncidents } from '../../src/jobs/alerts/notify.ts';
import { sendMails } from '../../src/jobs/alerts/send-mails.ts';
import { checkExpectations } from '../../src/jobs/feeds/expectations.ts';
import { answerOf } from '../../src/jobs/queries/answer.ts';
import { workUntilDone } from '../../src/jobs/queue/work-until.ts';
import { createRun } from '../../src/ledger/runs/runs.ts';
import { createLog } from '../../src/log.ts';
import type { RunAnswer } from '../../src/model.ts';
import type { Mail } from '../../src/notify/mail.ts';
import { startSandbox } from '../../src/sandbox/server.ts';

const DAY_MS = 86_400_000;

/** A Monday morning long ago: the pictures show the same days whenever they are made. */
const FIRST_DAY = Date.UTC(2025, 2, 3, 6, 10);

/** A shop with its suppliers, in this process and on a calendar of its own; the service is a sandbox that says nothing of it. */
export type Shop = {
  ctx: Context;
  loaded: LoadedConfig;
  /** Puts a file where the feed finds it. */
  deliver: (feed: string, content: string) => Promise<void>;
  /** Runs these feeds to their ends, and sends the mails that are due. */
  ingest: (...feeds: string[]) => Promise<RunAnswer[]>;
  /** Lets days pass, and does what a worker does every minute. */
  pass: (days: number) => Promise<void>;
  /** The mails since the last call. */
  takeMails: () => Mail[];
  close: () => Promise<void>;
};

/** Opens a shop in an empty folder; `config` is what offerline.yaml says beside the service. */
export async function openShop(folder: string, config: Record<string, unknown>): Promise<Shop> {
  const began = Date.now();
  let days = 0;
  const now = () => FIRST_DAY + days * DAY_MS + (Date.now() - began);
  const sandbox = await startSandbox({ dataDir: join(folder, 'service'), pace: { queued: 1, processing: 1 }, now });
  const file = join(folder, 'offerline.yaml');
  const poll = { initial: '5ms', max: '50ms', settle: '500ms', patience: '500ms', deadline: '10m', index: '500ms' };
  const worker = { lease: '30s', lock: '30s', stalled: '15s', sweep: '200ms' };
  await writeFile(file, JSON.stringify({ service: { baseUrl: sandbox.url, poll }, worker, ...config }));
  const loaded = await loadConfig({ file, home: join(folder, 'home'), env: {} });
  const opened = await openContext(loaded, await createLog({ level: 'error', pretty: false }));
  const mails: Mail[] = [];
  const ctx: Context = { ...opened.ctx, clock: calendar(now), mail: () => Promise.resolve(collect(mails)) };

  async function lookAround(): Promise<void> {
    await checkExpectations(ctx);
    await notifyOfDigests(ctx);
    await notifyOfIncidents(ctx);
    await sendMails(ctx);
  }

  let files = 0;
  return {
    ctx,
    loaded,
    deliver: async (feed, content) => {
      const inbox = join(folder, 'inbox', feed);
      await mkdir(inbox, { recursive: true });
      const day = new Date(now()).toISOString().slice(0, 10);
      const path = join(inbox, `${feed}-${day}-${String(++files)}.csv`);
      await writeFile(path, content);
      await utimes(path, now() / 1000, now() / 1000);
    },
    ingest: async (...feeds) => {
      const runs: string[] = [];
      for (const feed of feeds) {
        const login = ctx.config.feeds[feed]?.login ?? '';
        const made = { feed, login, cause: 'schedule', options: {}, sandbox: false, now: now() } as const;
        runs.push(await createRun(ctx.ledger.db, made));
      }
      await workUntilDone(runs, ctx, {
        redisUrl: undefined,
        embedded: 'in-process',
        signal: new AbortController().signal,
        notice: () => undefined,
        say: () => undefined,
      });
      await lookAround();
      return Promise.all(runs.map((run) => answerOf(run, ctx)));
    },
    pass: async (more) => {
      days += more;
      await lookAround();
    },
    takeMails: () => mails.splice(0),
    close: async () => {
      await opened.close();
      await sandbox.close();
    },
  };
}

/** The machine's clock on other days; what had passed when it was set on counts as passed. */
function calendar(now: () => number): Clock {
  return { ...machineClock(), now, since: (at) => Math.max(0, now() - at) };
}

function collect(mails: Mail[]): Awaited<ReturnType<Context['mail']>> {
  return {
    send: (mail) => {
      mails.push(mail);
      return Promise.resolve({ where: 'shown', message: null });
    },
    verify: () => Promise.resolve('mails are shown'),
    close: () => undefined,
  };
}
