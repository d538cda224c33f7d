import { atEnd } from './at-end.ts';
import { reservePort } from './reserve-port.ts';

/** A port of 127.0.0.1 that is the test's own until it has finished, also while no server listens there. */
export async function freePort(range?: { from: number; to: number }): Promise<number> {
  const { port, release } = await reservePort(range);
  atEnd(release);
  return port;
}
