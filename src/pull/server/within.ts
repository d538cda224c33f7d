import { OfferlineError } from '../../errors.ts';
import type { ServerPlace } from './server.ts';

/** Waits for a reply no longer than `place.timeout` milliseconds; then ends the connection and throws `pull-failed`. */
export async function within<T>(reply: Promise<T>, { url, timeout }: ServerPlace, close: () => void): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const message = `${url} was silent for ${timeout / 1000} s (source.timeout).`;
    reject(new OfferlineError('pull-failed', message, { retryable: true, details: { url } }));
    close();
  }, timeout);
  try {
    return await Promise.race([reply, silence]);
  } finally {
    clearTimeout(timer);
  }
}
