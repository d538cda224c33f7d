import { performBefore } from '../calls/perform-faults.ts';
import type { Call } from '../calls/call.ts';
import { Refusal, type Reply } from '../http/reply.ts';
import { readParameters } from '../http/parameters.ts';
import type { OperationRoute } from '../calls/router.ts';
import { processOffer } from './receive/accept.ts';
import { forgetExpired, type OffersContext } from './context.ts';
import { errorsOf, sourceOf } from './downloads.ts';
import { ok, viewOf } from './record-view.ts';
import { isIndexed, type OfferFacts } from './state.ts';

/** The offer operations of the interface. */
export function offerRoutes(ctx: OffersContext): OperationRoute[] {
  const path = '/us2/public/offer';
  return [
    {
      operation: 'process',
      method: 'POST',
      path: `${path}/process`,
      right: 'MANAGE_OFFERS',
      handle: (call) => processOffer(ctx, call),
    },
    {
      operation: 'get',
      method: 'GET',
      path: `${path}/get`,
      handle: async (call) => ok(viewOf(ctx, await demand(ctx, call))),
    },
    { operation: 'list', method: 'GET', path: `${path}/list`, handle: (call) => listOffers(ctx, call) },
    { operation: 'listTags', method: 'GET', path: `${path}/listTags`, handle: (call) => listTags(ctx, call) },
    { operation: 'source', method: 'GET', path: `${path}/source`, handle: (call) => downloadSource(ctx, call) },
    {
      operation: 'errors',
      method: 'GET',
      path: `${path}/errors`,
      handle: async (call) => errorsOf(ctx, await demand(ctx, call)),
    },
  ];
}

async function listOffers(ctx: OffersContext, { login, query, requestId }: Call): Promise<Reply> {
  const parameters = readParameters(query);
  const { page, size } = parameters.page();
  parameters.end();
  await forgetExpired(ctx, login.id);
  const data = ctx.records.list(login.id, page, size).map((facts) => viewOf(ctx, facts));
  return ok({ data, requestId });
}

async function listTags(ctx: OffersContext, call: Call): Promise<Reply> {
  const facts = await demand(ctx, call);
  const tags = isIndexed(facts, ctx.now()) ? ctx.records.tags(facts.seq) : [];
  return ok({ data: tags.slice(call.faults.get('lose-tags')?.tags ?? 0), requestId: call.requestId });
}

async function downloadSource(ctx: OffersContext, call: Call): Promise<Reply> {
  const parameters = readParameters(call.query);
  const id = parameters.id('offerId');
  parameters.end();
  const facts = id === undefined ? await demandLive(ctx, call) : await demandOffer(ctx, call, id);
  return sourceOf(ctx, facts, call.faults.get('lose-rows'));
}

/** The upload that the call asks for. */
async function demand(ctx: OffersContext, call: Call): Promise<OfferFacts> {
  const parameters = readParameters(call.query);
  const id = parameters.requiredId('offerId');
  parameters.end();
  return demandOffer(ctx, call, id);
}

/** An upload of the login; faults that are about its file act here. */
async function demandOffer(ctx: OffersContext, call: Call, id: string): Promise<OfferFacts> {
  const { login } = call;
  await forgetExpired(ctx, login.id);
  const facts = ctx.records.find(login.id, id);
  if (facts === undefined) throw new Refusal(404, 'OFFER_NOT_FOUND', `This login has no offer ${id}.`);
  call.faults.named(facts.sourceFile);
  await performBefore(call, ctx.stage);
  return facts;
}

async function demandLive(ctx: OffersContext, { login }: Call): Promise<OfferFacts> {
  const facts = ctx.records.live(login.id, ctx.now());
  if (facts === undefined) throw new Refusal(404, 'OFFER_NOT_FOUND', 'This login has no successful offer yet.');
  return facts;
}
