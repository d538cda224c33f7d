import { setTimeout as sleep } from 'node:timers/promises';

/** Asks until there is an answer; fails after 150 seconds, or so many. For facts that only another process can bring about. */
export async function until<T>(ask: () => Promise<T | undefined> | T | undefined, seconds = 150): Promise<T> {
  const giveUp = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > giveUp) throw new Error(`nothing happened within ${seconds} seconds`);
    await sleep(20);
  }
}
