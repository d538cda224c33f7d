import { changeMark } from '../ledger/changes.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** Answers that several visitors ask for, kept while they are the same. */
export type Memo = {
  /**
   * What `make` gives, at most `age` milliseconds old. `change`: until the ledger changes; `time`: also when it has, for what takes long
   * and may be that old. Whoever asks while it is being made waits for the same.
   */
  get: <T>(key: string, kept: { until: 'change' | 'time'; age: number }, make: () => Promise<T>) => Promise<T>;
};

type Kept = { mark: string; at: number; value: Promise<unknown> };

/** So many answers are kept; the one that was asked for longest ago goes first. */
const MOST = 200;

/** Keeps answers of a ledger. */
export function createMemo(ledger: Pick<Ledger, 'db' | 'engine'>): Memo {
  const known = new Map<string, Kept>();
  return {
    get: async <T>(key: string, { until, age }: { until: 'change' | 'time'; age: number }, make: () => Promise<T>) => {
      const mark = until === 'change' ? await changeMark(ledger) : '';
      const now = performance.now();
      const found = known.get(key);
      known.delete(key);
      if (found !== undefined && found.mark === mark && now - found.at < age) {
        known.set(key, found);
        return found.value as Promise<T>;
      }
      const value = make();
      known.set(key, { mark, at: now, value });
      value.catch(() => known.delete(key));
      if (known.size > MOST) known.delete(known.keys().next().value ?? key);
      return value;
    },
  };
}
