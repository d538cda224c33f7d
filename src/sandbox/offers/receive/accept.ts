import { fateOf } from '../../faults/fate.ts';
import { performBefore } from '../../calls/perform-faults.ts';
import type { Call } from '../../calls/call.ts';
import { invalid, readParameters } from '../../http/parameters.ts';
import { Interruption, Refusal, type Reply } from '../../http/reply.ts';
import { forgetExpired, type OffersContext } from '../context.ts';
import { keep } from './keep.ts';
import { planSecondInstallation } from './others.ts';
import { receiveOffer, type Received } from './receive.ts';
import type { NewOffer } from '../records.ts';
import { ok, unfinishedRefusal, viewOf } from '../record-view.ts';
import { NEVER, type OfferFacts } from '../state.ts';
import { kindOf } from '../text.ts';

/** Receives a file and makes it an upload of the login, unless one of its uploads is unfinished. */
export async function processOffer(ctx: OffersContext, call: Call): Promise<Reply> {
  const { records, store, settings } = ctx;
  checkUploadQuery(call.query);
  await forgetExpired(ctx, call.login.id);
  const open = records.unfinished(call.login.id, ctx.now());
  if (open !== undefined) throw unfinishedRefusal(ctx, open);
  const received = await receiveOffer(call, store.incoming, settings, async (name) => {
    call.arrival.file = name;
    call.faults.named(name);
    await performBefore(call, ctx.stage);
  });
  const late = call.faults.get('late-accept');
  if (late !== undefined) {
    ctx.later.add(ctx.now() + late.after, () => acceptLate(ctx, call, received));
    throw new Interruption({ broken: 'reset' });
  }
  const view = viewOf(ctx, await accept(ctx, call, received));
  return ok(settings.processReply === 'bare' ? view : { data: view, requestId: call.requestId });
}

async function accept(ctx: OffersContext, call: Call, received: Received): Promise<OfferFacts> {
  const facts = await keep(ctx, received.file, () => newOffer(ctx, call, received));
  call.arrival.accepted(facts.id, facts.createdAt);
  const second = call.faults.get('second-installation');
  if (second !== undefined) planSecondInstallation(ctx, call.login, facts, second.after);
  return facts;
}

/** The client has gone; only the record of arrivals shows a refusal. */
async function acceptLate(ctx: OffersContext, call: Call, received: Received): Promise<undefined> {
  try {
    await accept(ctx, call, received);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    call.arrival.end({ at: ctx.now(), refusal: error, faults: call.faults.names() });
  }
}

function newOffer({ pace, now }: OffersContext, { login, query, faults }: Call, received: Received): NewOffer {
  const parameters = new Map([...received.fields, ...query]);
  const fate = fateOf(faults);
  const processing = fate?.processing === undefined ? pace.processing : fate.processing;
  const createdAt = now();
  const startsAt = createdAt + pace.queued;
  return {
    login: login.id,
    scheme: login.scheme,
    file: received.file,
    sourceFile: received.sourceFile,
    kind: kindOf(received.sourceFile ?? '') ?? (/^text\/csv\b/i.test(received.mediaType) ? 'csv' : 'txt'),
    askedDelimiter: readDelimiter(parameters.get('delimiter')),
    askedCharset: readCharset(parameters.get('charsetName')),
    createdAt,
    startsAt,
    dueAt: processing === null ? NEVER : startsAt + processing,
    fate,
    descending: faults.get('descending-id') !== undefined,
  };
}

/** Refuses an upload whose query has something unknown or repeated, before its body is read. */
function checkUploadQuery(query: URLSearchParams): void {
  const parameters = readParameters(query);
  for (const name of ['delimiter', 'charsetName', 'fileName']) parameters.text(name);
  parameters.end();
}

/** The delimiter of a CSV file: a comma or a semicolon; null when it is left out. */
function readDelimiter(text = ''): string | null {
  if (text === '') return null;
  if (text === ',' || text === ';') return text;
  throw invalid('delimiter', 'is neither "," nor ";"');
}

/** The charset of the file; null when it is left out. */
function readCharset(text = ''): 'UTF-8' | 'UTF-16' | null {
  if (text === '') return null;
  const name = text.toUpperCase();
  if (name === 'UTF-8' || name === 'UTF-16') return name;
  throw invalid('charsetName', 'is neither UTF-8 nor UTF-16');
}
