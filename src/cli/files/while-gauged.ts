import { createGauges, type Meter } from '../../gauge.ts';
import type { Io } from '../io.ts';

/** Milliseconds between two looks at the meter. */
const LOOK_EVERY = 100;

/** Reads a file with a meter to count in, and shows meanwhile how much of it is read, where a terminal shows anything. */
export async function whileGauged<T>(name: string, io: Io, read: (meter: Meter) => Promise<T>): Promise<T> {
  const gauges = createGauges();
  const look = () => io.gauge(gauges.of(name), name);
  const looking = io.interactive ? setInterval(look, LOOK_EVERY) : undefined;
  try {
    return await gauges.during(name, { stage: 'read', unit: 'bytes', total: null }, read);
  } finally {
    clearInterval(looking);
    look();
  }
}
