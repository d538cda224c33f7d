import { createGauges, type GaugedStage, type Meter } from '../../gauge.ts';
import type { Io } from '../io.ts';

/** Milliseconds between two looks at the meter. */
const LOOK_EVERY = 100;

/** Does a stage's work on bytes with a meter to count in, and shows meanwhile how many are done, where a terminal shows anything. */
export async function whileGauged<T>(
  subject: string,
  stage: GaugedStage,
  io: Io,
  work: (meter: Meter) => Promise<T>,
): Promise<T> {
  const gauges = createGauges();
  const look = () => io.gauge(gauges.of(subject), subject);
  const looking = io.interactive ? setInterval(look, LOOK_EVERY) : undefined;
  try {
    return await gauges.during(subject, { stage, unit: 'bytes', total: null }, work);
  } finally {
    clearInterval(looking);
    look();
  }
}
