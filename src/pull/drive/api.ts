import { z } from 'zod';
import { type DriveSource, GOOGLE } from '../../config/schema/sources/drive.ts';
import { OfferlineError } from '../../errors.ts';
import { accountGrant } from '../cloud/account-grant.ts';
import { askPatiently } from '../cloud/ask-patiently.ts';
import { jsonOf } from '../cloud/json.ts';
import { drop } from '../http/drop.ts';
import { pullError } from '../http/errors.ts';
import { openWeb, type Question, type Reply, type Web } from '../http/request.ts';
import { type Limited, meterOf } from '../limits.ts';
import type { ServerPlace } from '../server/server.ts';
import { refusalOf } from './errors.ts';
import { FIELDS, type Item, item } from './item.ts';
import { trimEnd } from '../../io/text-parts.ts';

type Asked = Pick<Question, 'method' | 'headers'> & { path: string; query?: Record<string, string>; body?: object };

/** Google Drive while it is asked. Errors are `pull-failed` and name the place. */
export type Api = {
  web: Web;
  place: ServerPlace;
  /** A file by its id, in whatever drive it is; undefined where there is none that the account may see. */
  get: (id: string) => Promise<Item | undefined>;
  /** All files that a search finds, page by page; of a shared drive where one is named. */
  search: (q: string, drive: string | undefined, limited: Limited) => Promise<Item[]>;
  /** Asks; only the statuses that are named are answers, and their bodies are left to the caller. */
  ask: (question: Asked, accepts: readonly number[]) => Promise<Reply>;
  close: () => void;
};

/** Said of whatever is not what was asked for. */
export const NO_ANSWER = 'sent no answer of Google Drive; correct source.endpoint.';

const page = z.object({
  files: z.array(item),
  nextPageToken: z.string().optional(),
  incompleteSearch: z.boolean().optional(),
});

/** Whatever the account may do; with `.readonly` it may read. */
const SCOPE = 'https://www.googleapis.com/auth/drive';
/** Without it nothing of a shared drive is there. */
const ALL_DRIVES = { supportsAllDrives: 'true' };

/** Connects to nothing yet. */
export function openApi(source: DriveSource, place: ServerPlace, signal: AbortSignal | undefined): Api {
  const { endpoint = GOOGLE, timeout, allowHosts } = source;
  const base = `${trimEnd(endpoint, '/')}/drive/v3`;
  const { key, subject } = source.auth;
  const scope = source.after === 'keep' ? `${SCOPE}.readonly` : SCOPE;
  const grant = accountGrant({ key, scope, subject }, place);
  const web = openWeb({ url: base, auth: grant, headers: {}, timeout, maxRedirects: 0, allowHosts });
  const close = () => void web.close();
  const ask = ({ path, query = {}, body, ...question }: Asked, accepts: readonly number[]) =>
    askPatiently(
      web,
      {
        ...question,
        url: new URL(`${base}${path}?${new URLSearchParams({ ...ALL_DRIVES, ...query }).toString()}`),
        shown: place.url,
        ...(body === undefined ? {} : { body: { text: JSON.stringify(body), type: 'application/json' } }),
        signal,
      },
      { accepts, refusalOf },
      place,
    );
  return {
    web,
    place,
    ask,
    close,
    get: async (id) => {
      const reply = await ask({ path: pathOf(id), query: { fields: FIELDS } }, [200, 404]);
      if (reply.statusCode === 200) return jsonOf(reply, item, NO_ANSWER);
      await drop(reply, reply.place);
      return undefined;
    },
    search: async (q, drive, limited) => {
      const meter = meterOf(place, limited, close);
      const files: Item[] = [];
      const query = {
        q,
        pageSize: '1000',
        fields: `nextPageToken,incompleteSearch,files(${FIELDS})`,
        includeItemsFromAllDrives: 'true',
        ...(drive === undefined ? { corpora: 'user' } : { corpora: 'drive', driveId: drive }),
      };
      for (let token: string | undefined = ''; token !== undefined;) {
        meter.count({ pages: 1 });
        const asked: Asked = { path: '/files', query: token === '' ? query : { ...query, pageToken: token } };
        const read: z.output<typeof page> = await jsonOf(await ask(asked, [200]), page, NO_ANSWER, meter);
        meter.count({ entries: read.files.length });
        if (read.incompleteSearch === true) throw incomplete(place);
        files.push(...read.files);
        token = read.nextPageToken;
        if (token === '') throw pullError(place, NO_ANSWER);
      }
      return files;
    },
  };
}

/** The path of a file. */
export function pathOf(id: string): string {
  return `/files/${encodeURIComponent(id)}`;
}

/** A text within a search. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** The newest file may be among those that are missing. */
function incomplete({ url }: ServerPlace): OfferlineError {
  const message = `${url} did not look at all of its drives, so that files may be missing; it will be asked again.`;
  return new OfferlineError('pull-failed', message, { retryable: true, details: { url } });
}
