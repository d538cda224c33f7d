/*
 * What threads that read one file tell each other. Chunks of the file are taken in any order, and settled in theirs:
 * whoever settles one finds here where the one before it ended.
 */

/** Whole numbers that all threads read; behind them is one for each chunk. */
const TICKET = 0;
const SETTLED = 1;
const STOPPED = 2;
const NEWS = 3;
const INTS = 4;

export type Settled = {
  /** Where the rows so far end in the file, and the line that comes next. */
  end: number;
  line: number;
  /** How much was written. */
  rowBytes: number;
  issueBytes: number;
  /** How many parts are known. */
  used: number;
  /** Characters read a second time behind unclosed quotes. */
  reread: number;
};

/** Milliseconds; whoever waits longer should see whether the others are still there. */
const LONGEST_WAIT = 100;

/** A state has so many numbers; the first line of the file's first chunk follows. */
const NUMBERS = 6;
const NUMBER_BYTES = (NUMBERS + 1) * 8;

/** `crowded`: there are more parts than the table may hold. */
export type StopReason = 'restart' | 'interrupted' | 'failed' | 'crowded';
const REASONS: (StopReason | null)[] = [null, 'restart', 'interrupted', 'failed', 'crowded'];

export type Coordinator = {
  /** The number of the next chunk that nobody took, or null. */
  nextChunk: () => number | null;
  /** Tells how many lines a chunk has. */
  countLines: (chunkIndex: number, lines: number) => void;
  /** The first line of a chunk, once the lines of all earlier ones are counted; null until then. Asked for in their order. */
  firstLine: (chunkIndex: number) => number | null;
  /** Whether all earlier chunks are settled. */
  isTurn: (chunkIndex: number) => boolean;
  settle: (state: Settled) => void;
  settled: () => Settled;
  /** Ends the reading; the first reason stays. */
  stop: (reason: StopReason) => void;
  stopped: () => StopReason | null;
  /** A number that is another one after any of this; `awaitNews` waits while it is the same, but not for ever. */
  news: () => number;
  awaitNews: (seen: number) => void;
};

/** The memory of `openCoordinator` for so many chunks. */
export function createCoordinator(start: Settled, chunks: number): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(NUMBER_BYTES + (INTS + chunks) * 4);
  const numbers = new Float64Array(shared, 0, NUMBERS + 1);
  write(numbers, start);
  numbers[NUMBERS] = start.line;
  return shared;
}

export function openCoordinator(shared: SharedArrayBuffer): Coordinator {
  const numbers = new Float64Array(shared, 0, NUMBERS + 1);
  const ints = new Int32Array(shared, NUMBER_BYTES);
  const chunks = ints.length - INTS;
  let counted = 0;
  let line = numbers[NUMBERS]!;
  const tell = () => {
    Atomics.add(ints, NEWS, 1);
    Atomics.notify(ints, NEWS);
  };
  return {
    nextChunk: () => {
      const chunkIndex = Atomics.add(ints, TICKET, 1);
      return chunkIndex < chunks ? chunkIndex : null;
    },
    countLines: (chunkIndex, lines) => {
      Atomics.store(ints, INTS + chunkIndex, lines + 1);
      tell();
    },
    firstLine: (chunkIndex) => {
      for (; counted < chunkIndex; counted += 1) {
        const lines = Atomics.load(ints, INTS + counted);
        if (lines === 0) return null;
        line += lines - 1;
      }
      return line;
    },
    isTurn: (chunkIndex) => Atomics.load(ints, SETTLED) === chunkIndex,
    settle: (state) => {
      write(numbers, state);
      Atomics.add(ints, SETTLED, 1);
      tell();
    },
    settled: () => ({
      end: numbers[0]!,
      line: numbers[1]!,
      rowBytes: numbers[2]!,
      issueBytes: numbers[3]!,
      used: numbers[4]!,
      reread: numbers[5]!,
    }),
    stop: (reason) => {
      Atomics.compareExchange(ints, STOPPED, 0, REASONS.indexOf(reason));
      tell();
    },
    stopped: () => REASONS[Atomics.load(ints, STOPPED)] ?? null,
    news: () => Atomics.load(ints, NEWS),
    awaitNews: (seen) => void Atomics.wait(ints, NEWS, seen, LONGEST_WAIT),
  };
}

function write(numbers: Float64Array, state: Settled): void {
  const { end, line, rowBytes, issueBytes, used, reread } = state;
  numbers.set([end, line, rowBytes, issueBytes, used, reread]);
}
