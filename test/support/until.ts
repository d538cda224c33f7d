import { setTimeout as sleep } from 'node:timers/promises';

/** Asks until there is an answer; fails after 50 seconds. For facts that only another process can bring about. */
export async function until<T>(ask: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const giveUp = Date.now() + 50_000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > giveUp) throw new Error('nothing happened within 50 seconds');
    await sleep(20);
  }
}
