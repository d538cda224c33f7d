import type { PushSource } from '../../config/schema/sources/push.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import type { Listed } from '../choose/choose.ts';
import type { ServerFolder } from '../server/server.ts';
import type { PushedFiles } from '../source.ts';

/** The files that were pushed to a feed, as a place: each is there whole and at once, and stays. */
export function openPushed({ feed }: PushSource, pushed: PushedFiles | undefined): ServerFolder {
  if (pushed === undefined) throw new OfferlineError('internal', `Nobody says what was pushed to ${feed}.`);
  const stays = () => Promise.reject(new OfferlineError('internal', `What was pushed to ${feed} stays.`));
  return {
    whole: true,
    resumes: false,
    list: () => pushed.list(),
    look: (file) => pushed.look(file),
    read: (file) => bytesOf(file, feed, pushed),
    remove: stays,
    move: stays,
    close: () => {},
  };
}

async function* bytesOf(file: Listed, feed: string, pushed: PushedFiles): AsyncGenerator<Uint8Array> {
  try {
    // Whoever takes a piece gives its memory back, and the archive reads on in its own.
    for await (const piece of pushed.read(file)) yield Uint8Array.from(piece);
  } catch (error) {
    if (!(error instanceof OfferlineError && error.code === 'archive')) throw error;
    const message = `push:${feed} has lost ${file.name}: ${messageOf(error)} Have it pushed again.`;
    throw new OfferlineError('pull-failed', message, { cause: error, details: { url: `push:${feed}` } });
  }
}
