import { randomBytes, randomUUID } from 'node:crypto';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '../../http/reply.ts';
import type { Login } from '../../logins.ts';
import { keep } from './keep.ts';
import type { OffersContext } from '../context.ts';
import type { NewOffer } from '../records.ts';
import type { OfferFacts } from '../state.ts';
import { kindOf } from '../text.ts';

/** Somebody else's file for a login: its name, and who puts its bytes into the incoming folder. */
type Others = { by: string; name: string; write: (path: string) => Promise<void> };

/** How soon the other installation asks again while an upload is unfinished, in milliseconds of the sandbox's clock. */
const ASK_AGAIN = 100;

/** Another program uploads a small portfolio to the login; while an upload is unfinished it is refused, like everybody. */
export async function foreignUpload(
  ctx: OffersContext,
  login: Login,
  { name, rows }: { name: string; rows: number },
): Promise<void> {
  const { brand, oem } = ctx.settings.columns;
  const lines = Array.from({ length: rows }, (_, at) => `FOREIGN\t${at + 1}\n`);
  const text = `${brand}\t${oem}\n${lines.join('')}`;
  await uploadFor(ctx, login, { by: 'foreign-upload', name, write: (path) => writeFile(path, text) });
}

/**
 * A second installation uploads its dataset to the same login once `facts` is finished: the same rows under a name of the
 * same shape, with other letters in the place of the token. It waits while anything is unfinished.
 */
export function planSecondInstallation(ctx: OffersContext, login: Login, facts: OfferFacts, after: number): void {
  const name = otherToken(facts.sourceFile ?? 'offers.txt');
  const write = (path: string) => copyFile(join(ctx.store.files, facts.file), path);
  ctx.later.add(facts.dueAt + after, async () => {
    if (ctx.records.unfinished(login.id, ctx.now()) !== undefined) return ctx.now() + ASK_AGAIN;
    await uploadFor(ctx, login, { by: 'second-installation', name, write });
    return undefined;
  });
}

/** Uploads a file for a login as somebody else would; a refusal is only noted in the book. */
export async function uploadFor(ctx: OffersContext, login: Login, { by, name, write }: Others): Promise<void> {
  const file = randomUUID();
  await write(join(ctx.store.incoming, file));
  const arrival = ctx.arrivals.open(login, by, ctx.now());
  arrival.file = name;
  let refusal: Refusal | undefined;
  try {
    const { id, createdAt } = await keep(ctx, file, () => offerOf(ctx, login, file, name));
    arrival.accepted(id, createdAt);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusal = error;
  } finally {
    arrival.end({ at: ctx.now(), faults: [], ...(refusal === undefined ? {} : { refusal }) });
  }
}

function offerOf({ pace, now }: OffersContext, login: Login, file: string, sourceFile: string): NewOffer {
  const createdAt = now();
  const startsAt = createdAt + pace.queued;
  return {
    login: login.id,
    scheme: login.scheme,
    file,
    sourceFile,
    kind: kindOf(sourceFile) ?? 'txt',
    askedDelimiter: null,
    askedCharset: null,
    createdAt,
    startsAt,
    dueAt: startsAt + pace.processing,
    fate: null,
    descending: false,
  };
}

/** The last long run of letters and digits in a name is its token. */
function otherToken(name: string): string {
  const runs = [...name.matchAll(/[0-9a-z]{8,}/gi)];
  const last = runs.at(-1);
  if (last === undefined) return `other-${name}`;
  const other = randomBytes(last[0].length).toString('hex').slice(0, last[0].length);
  return `${name.slice(0, last.index)}${other}${name.slice(last.index + last[0].length)}`;
}
