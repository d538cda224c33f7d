import { join } from 'node:path';
import type { Log } from '../../../log.ts';
import type { Fate } from '../../faults/fate.ts';
import type { SandboxSettings } from '../../settings.ts';
import { syncFolder, type Store } from '../../store.ts';
import { readOffer } from './reading.ts';
import type { OfferRecords, OfferResult } from '../records.ts';
import type { OfferFacts } from '../state.ts';

/** Reads accepted files in the background and stores what it finds. */
export type Processing = {
  start: (facts: OfferFacts) => void;
  /** Resolves when no file is being read. */
  settled: () => Promise<void>;
  /** Stops reading; what was not finished is read again after the next start. */
  stop: () => Promise<void>;
};

type ProcessingOptions = {
  store: Store;
  records: OfferRecords;
  settings: SandboxSettings;
  now: () => number;
  log: Log;
  /** Called when a file that will be the live dataset has been read, perhaps before its state says so. */
  onSuccess: (facts: OfferFacts) => void;
};

/** Starts with the uploads that an earlier process did not finish reading. */
export function startProcessing(options: ProcessingOptions): Processing {
  const { store, records, settings, now, log, onSuccess } = options;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  async function work(facts: OfferFacts): Promise<void> {
    const path = join(store.files, facts.file);
    const onProgress = (rowsRead: number) => records.progress(facts.seq, rowsRead, now());
    let result: OfferResult;
    try {
      const read = await readOffer({ facts, path, settings, signal: stopping.signal, onProgress });
      result = decided(read, facts.fate);
      await syncFolder(store.files);
    } catch (error) {
      if (stopping.signal.aborted) return;
      log.error({ offer: facts.id, err: error }, 'sandbox cannot read an upload');
      result = internalFailure(facts);
    }
    records.conclude(facts.seq, result, now());
    const concluded = records.find(facts.login, facts.id);
    if (concluded?.result === 'success') onSuccess(concluded);
  }

  function start(facts: OfferFacts): void {
    const done = work(facts).finally(() => running.delete(done));
    running.add(done);
  }

  const settled = async () => {
    while (running.size > 0) await Promise.all(running);
  };
  for (const facts of records.unread()) start(facts);
  return {
    start,
    settled,
    stop: async () => {
      stopping.abort();
      await settled();
    },
  };
}

/** A fault may decide how an upload ends, whatever its file says. */
function decided(result: OfferResult, fate: Fate | null): OfferResult {
  if (fate?.end !== undefined) return { ...result, ...fate.end, errorRows: 0, tags: [] };
  return result.state === 'success' && fate?.error !== undefined ? { ...result, error: fate.error } : result;
}

function internalFailure(facts: OfferFacts): OfferResult {
  return {
    state: 'failed',
    error: 'The service could not read the file.',
    rowsRead: 0,
    errorRows: 0,
    tags: [],
    delimiter: facts.askedDelimiter,
    charset: facts.askedCharset,
  };
}
