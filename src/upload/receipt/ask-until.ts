import type { UploadContext } from '../context.ts';

/**
 * Asks until the answer is good or `patience` milliseconds have passed, with pauses that double, and gives the last answer.
 * The last question comes when the time is over. Fails with the signal's reason when that fires.
 */
export async function askUntil<T>(
  ask: () => Promise<T>,
  isGood: (answer: T) => boolean,
  { patience, signal }: { patience: number; signal: AbortSignal },
  ctx: UploadContext,
): Promise<T> {
  const { initial, max } = ctx.config.service.poll;
  const begun = ctx.clock.monotonic();
  let waited = 0;
  for (let pause = initial; ; pause = Math.min(max, pause * 2)) {
    const answer = await ask();
    const left = patience - Math.max(waited, ctx.clock.monotonic() - begun);
    if (isGood(answer) || left <= 0) return answer;
    const wait = Math.min(pause, left);
    await ctx.clock.wait(wait, signal);
    signal.throwIfAborted();
    waited += wait;
  }
}
