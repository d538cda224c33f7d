import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { Arrivals } from './arrivals.ts';
import type { SandboxClock } from './clock.ts';
import { parseDuration } from './duration.ts';
import type { ArmedFault, FaultList } from './faults/fault-list.ts';
import { faultProblems, faultSchema, faultsSchema, type Fault } from './faults/schema.ts';
import type { Call } from './calls/call.ts';
import { Refusal, type Reply } from './http/reply.ts';
import { demandLocal } from './http/local.ts';
import type { Route } from './calls/router.ts';

export type ControlContext = {
  faults: FaultList;
  arrivals: Arrivals;
  clock: SandboxClock;
  /** Resolves when everything that has become due is done. */
  settled: () => Promise<void>;
};

const advanceSchema = z.strictObject({
  advance: z
    .string()
    .refine((text) => parseDuration(text) !== undefined, 'expected a duration such as 250ms, 5s, 15m, 2h or 14d')
    .transform((text) => parseDuration(text) ?? 0),
});

/** The operations for tests and rehearsals: faults, the clock, and what arrived. Only this machine may call them. */
export function controlRoutes(ctx: ControlContext): Route[] {
  const faults = '/control/faults';
  const local =
    (handle: (call: Pick<Call, 'request' | 'query'>) => Promise<Reply> | Reply) =>
    async (call: Pick<Call, 'request' | 'query'>) => {
      demandLocal(call.request, 'CONTROL_LOCAL_ONLY', 'The control endpoint answers programs of this machine only.');
      return handle(call);
    };
  const route = (method: Route['method'], path: string, handle: Parameters<typeof local>[0]): Route => ({
    method,
    path,
    open: true,
    handle: local(handle),
  });
  return [
    route('GET', faults, () => ok({ faults: ctx.faults.all().map(viewOf) })),
    route('PUT', faults, async ({ request }) => {
      const written = await readFaults(request);
      ctx.faults.remove();
      return ok({ faults: ctx.faults.add(written).map(viewOf) });
    }),
    route('POST', faults, async ({ request }) => ok({ faults: ctx.faults.add(await readFaults(request)).map(viewOf) })),
    route('DELETE', faults, ({ query }) => ok({ removed: ctx.faults.remove(readId(query)) })),
    route('GET', '/control/uploads', () => ok({ uploads: ctx.arrivals.all() })),
    route('GET', '/control/clock', () => ok(timeOf(ctx))),
    route('POST', '/control/clock', async ({ request }) => {
      ctx.clock.advance(parse(advanceSchema, await readJson(request)).advance);
      await ctx.settled();
      return ok(timeOf(ctx));
    }),
  ];
}

function timeOf({ clock }: ControlContext) {
  return { now: clock.now(), ahead: clock.ahead() };
}

function viewOf({ id, fault, matched, acted }: ArmedFault): Record<string, unknown> {
  const { login, ...rest } = fault;
  // Only the kind of a credential is shown; its value is not needed here.
  const shown = login === undefined ? {} : { login: typeof login === 'string' ? login : { type: login.type } };
  return { id, matched, acted, ...rest, ...shown };
}

/** One fault, or `{faults: […]}`. */
async function readFaults(request: IncomingMessage): Promise<Fault[]> {
  const written = await readJson(request);
  const several = typeof written === 'object' && written !== null && 'faults' in written;
  return several ? parse(faultsSchema, written).faults : [parse(faultSchema, written)];
}

function readId(query: URLSearchParams): number | undefined {
  const id = query.get('id');
  if (id === null) return undefined;
  if (!/^\d{1,15}$/.test(id)) throw invalid('id: expected the number of a fault');
  return Number(id);
}

function parse<T>(schema: z.ZodType<T>, written: unknown): T {
  const parsed = schema.safeParse(written);
  if (parsed.success) return parsed.data;
  throw invalid(faultProblems(parsed.error).join('; '));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await text(request);
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw invalid('the body is not JSON');
  }
}

function invalid(what: string): Refusal {
  return new Refusal(400, 'INVALID_CONTROL', `Not understood: ${what}.`);
}

function ok(json: unknown): Reply {
  return { status: 200, json };
}
