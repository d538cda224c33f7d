import { createReadStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { int64, Refusal, type Call, type Reply } from '../http.ts';
import type { Route } from '../router.ts';
import type { Pace, SandboxSettings } from '../settings.ts';
import { syncFolder, type Store } from '../store.ts';
import { downloadHeader } from './file-name.ts';
import { readCharset, readDelimiter, readOfferId, readPage } from './parameters.ts';
import type { Processing } from './processing.ts';
import { receiveOffer, type Received } from './receive.ts';
import type { NewOffer, OfferRecords } from './records.ts';
import { stateOf, type OfferFacts } from './state.ts';
import { kindOf, openText } from './text.ts';

export type OffersContext = {
  store: Store;
  records: OfferRecords;
  processing: Processing;
  settings: SandboxSettings;
  pace: Pace;
  now: () => number;
};

const DAY = 86_400_000;

/** The offer operations of the interface. */
export function offerRoutes(ctx: OffersContext): Route[] {
  const path = '/us2/public/offer';
  return [
    { method: 'POST', path: `${path}/process`, right: 'MANAGE_OFFERS', handle: (call) => processOffer(ctx, call) },
    { method: 'GET', path: `${path}/get`, handle: async (call) => ok(viewOf(ctx, await demand(ctx, call))) },
    { method: 'GET', path: `${path}/list`, handle: (call) => listOffers(ctx, call) },
    { method: 'GET', path: `${path}/listTags`, handle: (call) => listTags(ctx, call) },
    { method: 'GET', path: `${path}/source`, handle: (call) => downloadSource(ctx, call) },
    { method: 'GET', path: `${path}/errors`, handle: (call) => downloadErrors(ctx, call) },
  ];
}

async function processOffer(ctx: OffersContext, call: Call): Promise<Reply> {
  const { store, records, settings } = ctx;
  await forgetExpired(ctx, call.login.id);
  const open = records.unfinished(call.login.id, ctx.now());
  if (open !== undefined) throw unfinishedRefusal(ctx, open);
  const received = await receiveOffer(call.request, call.query, store.incoming, settings);
  let result: ReturnType<OfferRecords['accept']>;
  try {
    const offer = newOffer(ctx, call, received);
    await rename(join(store.incoming, received.file), join(store.files, received.file));
    await syncFolder(store.files);
    result = records.accept(offer);
  } catch (error) {
    await rm(join(store.incoming, received.file), { force: true });
    throw error;
  }
  if ('unfinished' in result) {
    await rm(join(store.files, received.file), { force: true });
    throw unfinishedRefusal(ctx, result.unfinished);
  }
  ctx.processing.start(result.accepted);
  const view = viewOf(ctx, result.accepted);
  return ok(settings.processReply === 'bare' ? view : { data: view, requestId: call.requestId });
}

function newOffer({ pace, now }: OffersContext, { login, query }: Call, received: Received): NewOffer {
  const parameter = (name: string) => query.get(name) ?? received.fields.get(name) ?? null;
  const createdAt = now();
  return {
    login: login.id,
    scheme: login.scheme,
    file: received.file,
    sourceFile: received.sourceFile,
    kind: kindOf(received.sourceFile ?? '') ?? (/^text\/csv\b/i.test(received.mediaType) ? 'csv' : 'txt'),
    askedDelimiter: readDelimiter(parameter('delimiter')),
    askedCharset: readCharset(parameter('charsetName')),
    createdAt,
    startsAt: createdAt + pace.queued,
    dueAt: createdAt + pace.queued + pace.processing,
  };
}

async function listOffers(ctx: OffersContext, { login, query, requestId }: Call): Promise<Reply> {
  const { page, size } = readPage(query);
  await forgetExpired(ctx, login.id);
  const data = ctx.records.list(login.id, page, size).map((facts) => viewOf(ctx, facts));
  return ok({ data, requestId });
}

async function listTags(ctx: OffersContext, call: Call): Promise<Reply> {
  const facts = await demand(ctx, call);
  const done = stateOf(facts, ctx.now()).state === 'success';
  return ok({ data: done ? ctx.records.tags(facts.seq) : [], requestId: call.requestId });
}

async function downloadSource(ctx: OffersContext, call: Call): Promise<Reply> {
  const facts = call.query.has('offerId') ? await demand(ctx, call) : await demandLive(ctx, call);
  const { bytes } = await openText(join(ctx.store.files, facts.file), facts, ctx.settings.limits.textBytes);
  const charset = (facts.charset ?? facts.askedCharset ?? 'UTF-8').toLowerCase();
  return {
    status: 200,
    stream: bytes,
    headers: {
      'content-type': `text/plain; charset=${charset}`,
      'content-disposition': downloadHeader(facts.sourceFile, facts.id, '.offer'),
    },
  };
}

async function downloadErrors(ctx: OffersContext, call: Call): Promise<Reply> {
  const facts = await demand(ctx, call);
  if (!hasErrorFile(ctx, facts)) throw new Refusal(404, 'NO_ERROR_FILE', `Offer ${facts.id} has no error file.`);
  const path = join(ctx.store.files, `${facts.file}.errors`);
  const { size } = await stat(path);
  return {
    status: 200,
    stream: createReadStream(path),
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(size),
      'content-disposition': downloadHeader(facts.sourceFile, facts.id, '.errors'),
    },
  };
}

/** The record as the interface describes it (UsOfferDto); optional fields are absent, not null. */
function viewOf(ctx: OffersContext, facts: OfferFacts): Record<string, unknown> {
  const { state, rowsProcessed, lastModifiedTime } = stateOf(facts, ctx.now());
  const finished = state === 'success' || state === 'failed';
  const header = ctx.settings.countHeader && (rowsProcessed > 0 || state === 'success') ? 1 : 0;
  const delimiter = facts.delimiter ?? facts.askedDelimiter;
  const charsetName = facts.charset ?? facts.askedCharset;
  return {
    id: int64(facts.id),
    state,
    createdTime: facts.createdAt,
    lastModifiedTime,
    linesProcessed: rowsProcessed + header,
    ...(finished && facts.error !== null && { error: facts.error }),
    ...(facts.sourceFile !== null && { sourceFile: facts.sourceFile }),
    errorFileExists: hasErrorFile(ctx, facts),
    ...(delimiter !== null && { delimiter }),
    ...(charsetName !== null && { charsetName }),
  };
}

function hasErrorFile(ctx: OffersContext, facts: OfferFacts): boolean {
  return facts.errorRows > 0 && stateOf(facts, ctx.now()).state === 'success';
}

async function demand(ctx: OffersContext, { login, query }: Call): Promise<OfferFacts> {
  const id = readOfferId(query);
  await forgetExpired(ctx, login.id);
  const facts = ctx.records.find(login.id, id);
  if (facts === undefined) throw new Refusal(404, 'OFFER_NOT_FOUND', `This login has no offer ${id}.`);
  return facts;
}

async function demandLive(ctx: OffersContext, { login }: Call): Promise<OfferFacts> {
  const facts = ctx.records.live(login.id, ctx.now());
  if (facts === undefined) throw new Refusal(404, 'OFFER_NOT_FOUND', 'This login has no successful offer yet.');
  return facts;
}

/** Uploads and history are kept for the retention time, the last successful upload for as long as it is the last. */
async function forgetExpired(ctx: OffersContext, login: string): Promise<void> {
  const now = ctx.now();
  const files = ctx.records.forget(login, now - ctx.settings.retentionDays * DAY, now);
  for (const file of files) {
    await rm(join(ctx.store.files, file), { force: true });
    await rm(join(ctx.store.files, `${file}.errors`), { force: true });
  }
}

function unfinishedRefusal(ctx: OffersContext, facts: OfferFacts): Refusal {
  const { state } = stateOf(facts, ctx.now());
  const message = `Offer ${facts.id} of this login is still ${state}; upload again when it has finished.`;
  return new Refusal(409, 'UPLOAD_UNFINISHED', message);
}

function ok(json: unknown): Reply {
  return { status: 200, json };
}
