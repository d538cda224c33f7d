/*
 * The state that the threads of one file share. Chunks are parsed in any order and committed in file order; a thread that
 * commits a chunk finds here where the previous one ended.
 */

/** Integers that all threads read; one for each chunk follows them. */
const NEXT = 0;
const COMMITTED = 1;
const STOPPED = 2;
const CHANGES = 3;
const INTS = 4;

/** What the committed chunks have come to. */
export type Committed = {
  /** Where their rows end in the file, and the line that comes next. */
  end: number;
  line: number;
  /** Bytes written. */
  rowBytes: number;
  issueBytes: number;
  /** Number of known parts. */
  used: number;
  /** Characters read a second time after unclosed quotes. */
  reread: number;
  /** The run of lone cells with which they end: its length, and the line after it. */
  runLength: number;
  runNext: number;
};

/** Milliseconds. After this long a thread checks whether the others are still running. */
const LONGEST_WAIT = 100;

/** Numbers in a state; the first line of the first chunk follows them. */
const NUMBERS = 8;
const NUMBER_BYTES = (NUMBERS + 1) * 8;

/** `slow-path`: the fast path cannot read the file. `table-full`: there are more parts than the table may hold. */
export type StopReason = 'slow-path' | 'interrupted' | 'failed' | 'table-full';
const REASONS: (StopReason | null)[] = [null, 'slow-path', 'interrupted', 'failed', 'table-full'];

export type Coordinator = {
  /** The index of the next chunk that no thread has claimed, or null. */
  nextChunk: () => number | null;
  /** Publishes how many lines a chunk has. */
  countLines: (chunkIndex: number, lines: number) => void;
  /** The first line of a chunk; null until the lines of all earlier ones are counted. Must be asked for in order. */
  firstLine: (chunkIndex: number) => number | null;
  /** Whether all earlier chunks are committed. */
  isTurn: (chunkIndex: number) => boolean;
  commit: (state: Committed) => void;
  committed: () => Committed;
  /** Ends the reading; the first reason wins. */
  stop: (reason: StopReason) => void;
  stopped: () => StopReason | null;
  /** A counter that every change increments; `awaitChange` waits, for a limited time, until it differs from `seen`. */
  changes: () => number;
  awaitChange: (seen: number) => void;
};

/** Creates the shared memory of a coordinator. */
export function createCoordinator(start: Committed, chunks: number): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(NUMBER_BYTES + (INTS + chunks) * 4);
  const numbers = new Float64Array(shared, 0, NUMBERS + 1);
  write(numbers, start);
  numbers[NUMBERS] = start.line;
  return shared;
}

/** Opens the coordinator in shared memory; each thread has its own view of it. */
export function openCoordinator(shared: SharedArrayBuffer): Coordinator {
  const numbers = new Float64Array(shared, 0, NUMBERS + 1);
  const ints = new Int32Array(shared, NUMBER_BYTES);
  const chunks = ints.length - INTS;
  let counted = 0;
  let line = numbers[NUMBERS]!;
  const notify = () => {
    Atomics.add(ints, CHANGES, 1);
    Atomics.notify(ints, CHANGES);
  };
  return {
    nextChunk: () => {
      const chunkIndex = Atomics.add(ints, NEXT, 1);
      return chunkIndex < chunks ? chunkIndex : null;
    },
    countLines: (chunkIndex, lines) => {
      Atomics.store(ints, INTS + chunkIndex, lines + 1);
      notify();
    },
    firstLine: (chunkIndex) => {
      for (; counted < chunkIndex; counted += 1) {
        const lines = Atomics.load(ints, INTS + counted);
        if (lines === 0) return null;
        line += lines - 1;
      }
      return line;
    },
    isTurn: (chunkIndex) => Atomics.load(ints, COMMITTED) === chunkIndex,
    commit: (state) => {
      write(numbers, state);
      Atomics.add(ints, COMMITTED, 1);
      notify();
    },
    committed: () => ({
      end: numbers[0]!,
      line: numbers[1]!,
      rowBytes: numbers[2]!,
      issueBytes: numbers[3]!,
      used: numbers[4]!,
      reread: numbers[5]!,
      runLength: numbers[6]!,
      runNext: numbers[7]!,
    }),
    stop: (reason) => {
      Atomics.compareExchange(ints, STOPPED, 0, REASONS.indexOf(reason));
      notify();
    },
    stopped: () => REASONS[Atomics.load(ints, STOPPED)] ?? null,
    changes: () => Atomics.load(ints, CHANGES),
    awaitChange: (seen) => void Atomics.wait(ints, CHANGES, seen, LONGEST_WAIT),
  };
}

function write(numbers: Float64Array, state: Committed): void {
  const { end, line, rowBytes, issueBytes, used, reread, runLength, runNext } = state;
  numbers.set([end, line, rowBytes, issueBytes, used, reread, runLength, runNext]);
}
