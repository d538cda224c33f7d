import { systemClock } from '../../clock.ts';
import type { WebdavSource } from '../../config/schema/sources/web.ts';
import type { OfferlineError } from '../../errors.ts';
import type { Listed } from '../choose/choose.ts';
import { readReply, readReplyBytes } from '../../io/peers/read-reply.ts';
import { bytesOf, meterOfReply, unreadableListing } from '../http/body.ts';
import { pullError, statusError } from '../http/errors.ts';
import { nameIn } from '../http/name.ts';
import { readFrom, tagOf, timeOf } from '../http/ranged.ts';
import { ask, headerOf, openWeb, type Reply, type Web } from '../http/request.ts';
import { type Limited, listingOf, REFUSAL } from '../limits.ts';
import type { ServerFolder, ServerPlace } from '../server/server.ts';
import { changing, takingResults } from './change.ts';
import { PROPERTIES, readMultistatus, type Resource } from './multistatus.ts';

/** Four properties with their namespaces, and the status of those that are missing. */
const RESOURCE = { bytes: 2000 };

/** A folder on a WebDAV server (RFC 4918); nothing is asked before the first listing. */
export async function openWebdav(
  source: WebdavSource,
  place: ServerPlace,
  signal?: AbortSignal,
): Promise<ServerFolder> {
  const web = openWeb(source);
  const folder = folderUrl(source.url);
  const urlOf = (name: string) => new URL(encodeURIComponent(name), folder);
  const look = async (url: URL): Promise<Listed | undefined> => {
    for await (const resource of propfind(web, { url, depth: '0', signal }, REFUSAL)) {
      if (!resource.isFolder) return asListed(resource);
    }
    return undefined;
  };
  const at = { web, folder, look, place, signal };
  return {
    list: async () => {
      const files: Listed[] = [];
      for await (const resource of propfind(web, { url: folder, depth: '1', signal }, listingOf(source, RESOURCE))) {
        if (!resource.isFolder) files.push(asListed(resource));
      }
      return files;
    },
    look: async ({ name }) => {
      const found = await look(urlOf(name));
      return found === undefined ? undefined : { ...found, name };
    },
    read: (file, from = 0) => readFrom(web, { url: urlOf(file.name), file, from, signal }),
    resumes: true,
    ...changing(at),
    results: takingResults(at),
    close: () => void web.close(),
  };
}

/** The address of a folder ends in a slash: some servers redirect otherwise, and names would replace its last part. */
function folderUrl(address: string): URL {
  const url = new URL(address);
  url.search = '';
  url.hash = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

type Asked = { url: URL; depth: '0' | '1'; signal: AbortSignal | undefined };

async function* propfind(web: Web, { url, depth, signal }: Asked, limited: Limited): AsyncGenerator<Resource> {
  const headers = { depth, 'accept-encoding': 'gzip' };
  const body = { text: PROPERTIES, type: 'application/xml; charset=utf-8' };
  const reply = await ask(web, { method: 'PROPFIND', url, headers, body, signal });
  if (reply.statusCode === 404 && depth === '0') return;
  if (reply.statusCode !== 207) throw listingError(reply);
  const meter = meterOfReply(reply, limited);
  try {
    const resources = readMultistatus(readReplyBytes(bytesOf(reply), meter));
    yield* readReply(resources, meter, () => ({ entries: 1 }));
  } catch (error) {
    throw unreadableListing(error, reply.place, UNREADABLE);
  }
}

const UNREADABLE = 'sent a listing that cannot be read; ask the supplier whether it speaks WebDAV.';
const NO_WEBDAV =
  'does not speak WebDAV here; correct source.url (Nextcloud: https://HOST/remote.php/dav/files/USER/FOLDER/)';

function listingError(reply: Reply): OfferlineError {
  const { place, statusCode: status } = reply;
  if ([200, 405, 501].includes(status)) return pullError(place, `answered ${status}: it ${NO_WEBDAV}.`, { status });
  if (status === 404) {
    const message = 'answered 404: there is no folder at this address; correct source.url, or ask the supplier.';
    return pullError(place, message, { status });
  }
  return statusError(status, place, headerOf(reply, 'retry-after'), systemClock.now());
}

function asListed({ href, size, modified, etag }: Resource): Listed {
  const id = tagOf(etag);
  const isNumber = size !== undefined && /^\d{1,15}$/u.test(size);
  return {
    name: nameIn(href),
    size: isNumber ? Number(size) : 0,
    mtimeMs: timeOf(modified),
    ...(id === undefined ? {} : { id }),
    ...(isNumber ? {} : { inexact: true }),
  };
}
