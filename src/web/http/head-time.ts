/** Milliseconds between two looks at whether this thread was busy, and for how long it is remembered that it was. */
const LOOK_EVERY = 50;
const REMEMBERED = 60_000;

/** How long a head may take, for a server that was busy now and then. */
export type HeadTime = { now: () => number; end: () => void };

/**
 * How long a head may take, in milliseconds: `least`, and the time of the last minute in which this thread was busy with one thing and read
 * from nobody. What was sent meanwhile waits in the system: its client is not slow. `clock` in milliseconds.
 */
export function headTime(least: number, clock: () => number = () => performance.now()): HeadTime {
  let blocks: { at: number; length: number }[] = [];
  let last = clock();
  const look = () => {
    const at = clock();
    const length = at - last - LOOK_EVERY;
    if (length > LOOK_EVERY) blocks.push({ at, length });
    blocks = blocks.filter((block) => at - block.at < REMEMBERED);
    last = at;
  };
  const looking = setInterval(look, LOOK_EVERY).unref();
  return {
    now: () => {
      look();
      return least + blocks.reduce((sum, { length }) => sum + length, 0);
    },
    end: () => clearInterval(looking),
  };
}
