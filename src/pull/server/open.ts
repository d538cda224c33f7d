import type { ListingSource } from '../../config/schema/source-schema.ts';
import type { PushSource } from '../../config/schema/sources/push.ts';
import { openPushed } from '../push/open-pushed.ts';
import { interrupted } from '../save/save.ts';
import type { PullInput } from '../source.ts';
import { urlOf } from './place.ts';
import type { ServerFolder, ServerPlace } from './server.ts';

/**
 * Connects, and disconnects at once when the work ends or `signal` fires; `wait` is for a server that is busy, `pushed` for a feed to which
 * files are pushed.
 */
export async function withServer<T>(
  source: ListingSource,
  signal: AbortSignal | undefined,
  work: (server: ServerFolder) => Promise<T>,
  { wait, pushed }: Partial<Pick<PullInput, 'wait' | 'pushed'>> = {},
): Promise<T> {
  const stopped = () => signal?.aborted === true;
  if (stopped()) throw interrupted(urlOf(source));
  let close = () => {};
  try {
    const place = { url: urlOf(source), timeout: source.timeout, ...(wait === undefined ? {} : { wait }) };
    const server = source.type === 'push' ? openPushed(source, pushed) : await open(source, place, signal);
    close = () => server.close();
    signal?.addEventListener('abort', close, { once: true });
    return await work(server);
  } catch (error) {
    throw stopped() ? interrupted(urlOf(source)) : error;
  } finally {
    signal?.removeEventListener('abort', close);
    close();
  }
}

/** Most installations have few of them: the library of each is loaded when it is asked. */
async function open(
  source: Exclude<ListingSource, PushSource>,
  place: ServerPlace,
  signal?: AbortSignal,
): Promise<ServerFolder> {
  switch (source.type) {
    case 'ftp': {
      const { openFtp } = await import('../ftp/open-ftp.ts');
      return openFtp(source, place, signal);
    }
    case 'http': {
      const { openIndex } = await import('../http/index/open-index.ts');
      return openIndex(source, place, signal);
    }
    case 'webdav': {
      const { openWebdav } = await import('../webdav/open-webdav.ts');
      return openWebdav(source, place, signal);
    }
    case 'mail': {
      const { openMail } = await import('../mail/open-mail.ts');
      return openMail(source, place, signal);
    }
    case 'graph': {
      const { openGraph } = await import('../graph/open-graph.ts');
      return openGraph(source, place, signal);
    }
    case 'drive': {
      const { openDrive } = await import('../drive/open-drive.ts');
      return openDrive(source, place, signal);
    }
    case 's3': {
      const { openS3 } = await import('../s3/open-s3.ts');
      return openS3(source, place, signal);
    }
    case 'sftp': {
      const { openSftp } = await import('../sftp/open-sftp.ts');
      return openSftp(source, place, signal);
    }
  }
}
