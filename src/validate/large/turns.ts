/*
 * What threads that read one file tell each other. Stretches of the file are taken in any order, and settled in theirs:
 * whoever settles one finds here where the one before it ended.
 */
const INTS = 16;

/** Whole numbers that threads wait for. */
const TICKET = 0;
const COUNTED = 1;
const SETTLED = 2;
const STOPPED = 3;

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

/** A state has so many numbers. */
const NUMBERS = 6;

/** `crowded`: there are more parts than the table may hold. */
export type StopReason = 'restart' | 'interrupted' | 'failed' | 'crowded';
const REASONS: (StopReason | null)[] = [null, 'restart', 'interrupted', 'failed', 'crowded'];

export type Turns = {
  /** The number of the next stretch that nobody took. */
  takeTicket: () => number;
  /** Waits for the lines of all earlier stretches to be counted; answers the first line of this one, null when stopped. */
  countLines: (ticket: number, lines: number) => number | null;
  /** Waits for all earlier stretches to be settled; null when stopped. */
  awaitTurn: (ticket: number) => Settled | null;
  settle: (ticket: number, state: Settled) => void;
  settled: () => Settled;
  /** Ends the reading; the first reason stays. */
  stop: (reason: StopReason) => void;
  stopped: () => StopReason | null;
};

/** The memory of `openTurns`. */
export function createTurns(start: Settled): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(INTS * 4 + (NUMBERS + 1) * 8);
  const numbers = new Float64Array(shared, INTS * 4);
  write(numbers, start);
  numbers[NUMBERS] = start.line;
  return shared;
}

export function openTurns(shared: SharedArrayBuffer): Turns {
  const ints = new Int32Array(shared, 0, INTS);
  const numbers = new Float64Array(shared, INTS * 4);
  const stopped = () => REASONS[Atomics.load(ints, STOPPED)] ?? null;
  const read = (): Settled => ({
    end: numbers[0]!,
    line: numbers[1]!,
    rowBytes: numbers[2]!,
    issueBytes: numbers[3]!,
    used: numbers[4]!,
    reread: numbers[5]!,
  });
  const awaitNumber = (place: number, value: number) => {
    for (;;) {
      const now = Atomics.load(ints, place);
      if (stopped() !== null) return false;
      if (now === value) return true;
      Atomics.wait(ints, place, now, 100);
    }
  };
  const advance = (place: number) => {
    Atomics.add(ints, place, 1);
    Atomics.notify(ints, place);
  };
  return {
    takeTicket: () => Atomics.add(ints, TICKET, 1),
    countLines: (ticket, lines) => {
      if (!awaitNumber(COUNTED, ticket)) return null;
      const line = numbers[NUMBERS]!;
      numbers[NUMBERS] = line + lines;
      advance(COUNTED);
      return line;
    },
    awaitTurn: (ticket) => (awaitNumber(SETTLED, ticket) ? read() : null),
    settle: (_ticket, state) => {
      write(numbers, state);
      advance(SETTLED);
    },
    settled: read,
    stop: (reason) => {
      Atomics.compareExchange(ints, STOPPED, 0, REASONS.indexOf(reason));
      Atomics.notify(ints, COUNTED);
      Atomics.notify(ints, SETTLED);
    },
    stopped,
  };
}

function write(numbers: Float64Array, state: Settled): void {
  const { end, line, rowBytes, issueBytes, used, reread } = state;
  numbers.set([end, line, rowBytes, issueBytes, used, reread]);
}
