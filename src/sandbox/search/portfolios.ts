import { existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { OfferRecords } from '../offers/records.ts';
import type { OfferFacts } from '../offers/state.ts';
import type { Reference } from '../reference/open.ts';
import type { SandboxSettings } from '../settings.ts';
import type { Store } from '../store.ts';
import { indexDataset, type IndexJob } from './index-dataset.ts';
import { openPortfolio, type Portfolio } from './portfolio.ts';

/** The datasets that are searched: of each login the last one that is indexed. */
export type Portfolios = {
  /**
   * Does the work with the dataset that a login's searches run over, undefined before its first success; waits for its
   * index. The work must not wait for anything: a newer dataset closes this one.
   */
  use: <T>(login: string, work: (portfolio: Portfolio | undefined) => T) => Promise<T>;
  /** Begins to index a large upload before the first search. */
  prepare: (facts: OfferFacts) => void;
  /** Ends indexing, and closes what is open. */
  close: () => Promise<void>;
};

type Options = {
  dataDir: string;
  store: Store;
  records: OfferRecords;
  reference: Reference;
  settings: SandboxSettings;
  now: () => number;
};

/** An index of so many rows is made at once; more would keep everybody waiting, so a thread does it. */
const ROWS_AT_ONCE = 1000;

type Entry = { login: string; seq: number; portfolio: Promise<Portfolio> };

/** Nothing is open yet; indexes of an earlier process are taken over. */
export function createPortfolios(options: Options): Portfolios {
  const { records, now } = options;
  const folder = join(options.dataDir, 'index');
  const entries = new Map<string, Entry>();
  const stopping = new AbortController();
  removeOthers(folder, new Set(records.liveFiles()));

  function open(facts: OfferFacts): Promise<Portfolio> {
    const known = entries.get(facts.file);
    if (known !== undefined) return known.portfolio;
    const portfolio = make(join(folder, `${facts.file}.sqlite`), facts, options, stopping.signal);
    entries.set(facts.file, { login: facts.login, seq: facts.seq, portfolio });
    // A build that failed is tried again by the next search.
    portfolio.catch(() => entries.delete(facts.file));
    return portfolio;
  }

  /** Once a newer dataset is searched, the indexes of the older ones have no use. */
  function retireOlder({ login, seq }: OfferFacts): void {
    for (const [file, entry] of entries) {
      if (entry.login !== login || entry.seq >= seq) continue;
      entries.delete(file);
      entry.portfolio
        .then((portfolio) => portfolio.close())
        .catch(() => undefined)
        .finally(() => rmSync(join(folder, `${file}.sqlite`), { force: true }));
    }
  }

  return {
    use: async (login, work) => {
      for (;;) {
        const facts = records.indexed(login, now());
        if (facts === undefined) return work(undefined);
        const portfolio = await open(facts);
        // Another dataset may have become the live one while this one was indexed.
        if (records.indexed(login, now())?.seq !== facts.seq) continue;
        retireOlder(facts);
        return work(portfolio);
      }
    },
    prepare: (facts) => {
      if (facts.rowsRead > ROWS_AT_ONCE) open(facts).catch(() => undefined);
    },
    close: async () => {
      stopping.abort();
      const opened = await Promise.allSettled([...entries.values()].map(({ portfolio }) => portfolio));
      for (const result of opened) if (result.status === 'fulfilled') result.value.close();
    },
  };
}

/** Opens an index, or makes it from the stored upload when there is no usable one. */
async function make(target: string, facts: OfferFacts, options: Options, stopping: AbortSignal): Promise<Portfolio> {
  const { dataDir, store, settings, reference } = options;
  const kept = openPortfolio(target, reference);
  if (kept !== undefined) return kept;
  await mkdir(dirname(target), { recursive: true });
  const job: IndexJob = { facts, path: join(store.files, facts.file), settings, dataDir, target };
  await (facts.rowsRead <= ROWS_AT_ONCE ? indexDataset(job) : indexInThread(job, stopping));
  const made = openPortfolio(target, reference);
  if (made === undefined) throw new Error(`The index ${target} cannot be read.`);
  return made;
}

/** Removes the indexes of datasets that are not live any more, and what a kill left half built. */
function removeOthers(folder: string, live: ReadonlySet<string>): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!live.has(name.replace(/\.sqlite$/, ''))) rmSync(join(folder, name), { force: true });
  }
}

async function indexInThread(job: IndexJob, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./index-thread.ts', import.meta.url), { workerData: job });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.once('error', reject);
  worker.once('exit', (code) => (code === 0 ? resolve() : reject(new Error('Indexing ended early.'))));
  const stop = () => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
