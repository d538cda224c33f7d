import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { messageOf, OfferlineError } from '../../errors.ts';
import { printableText } from '../../wording/printable.ts';
import type { StatusAnswer } from '../../jobs/standing/status.ts';

/** How often to look, in ms, and what ends it. */
type Pace = { every: number; signal: AbortSignal };

const ENTER = '\u001B[?1049h\u001B[?25l';
const LEAVE = '\u001B[?25h\u001B[?1049l';
const HOME = '\u001B[H';
const TO_END_OF_LINE = '\u001B[K';
const TO_END_OF_SCREEN = '\u001B[J';

/**
 * Draws a screen again and again until the signal, on the terminal's other screen, which is left as it was. What cannot be read for
 * a while is said in its place.
 */
export async function watchScreen(draw: () => Promise<string>, pace: Pace): Promise<void> {
  const ended = untilUnread(pace.signal);
  process.stdout.write(ENTER);
  try {
    do {
      const screen = await draw().catch(said);
      const lines = screen.split('\n').map((line) => `${line}${TO_END_OF_LINE}\n`);
      process.stdout.write(`${HOME}${lines.join('')}${TO_END_OF_SCREEN}`);
    } while (await pause(pace.every, ended));
  } finally {
    process.stdout.write(LEAVE);
  }
}

/** Gives each state that is not the one before it, but for its moment, until the signal. */
export async function watchLines(
  look: () => Promise<StatusAnswer>,
  give: (status: StatusAnswer) => void,
  pace: Pace,
): Promise<void> {
  const ended = untilUnread(pace.signal);
  let before: StatusAnswer | undefined;
  do {
    const status = await look();
    if (before === undefined || !isDeepStrictEqual(lasting(before), lasting(status))) give(status);
    before = status;
  } while (await pause(pace.every, ended));
}

/** A status without the moments that change while nothing happens. */
function lasting({ at: _at, workers, ...status }: StatusAnswer) {
  return { ...status, workers: workers.map(({ seen: _seen, ...worker }) => worker) };
}

/** Ends with the signal, and when nobody reads the output any more. */
function untilUnread(signal: AbortSignal): AbortSignal {
  const unread = new AbortController();
  process.stdout.once('error', () => unread.abort());
  return AbortSignal.any([signal, unread.signal]);
}

async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

function said(error: unknown): string {
  if (!(error instanceof OfferlineError)) throw error;
  return printableText(messageOf(error));
}
