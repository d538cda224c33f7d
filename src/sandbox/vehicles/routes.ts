import type { Call } from '../calls/call.ts';
import { Refusal, type Reply } from '../http/reply.ts';
import { readLocale, readParameters } from '../http/parameters.ts';
import type { Reference } from '../reference/open.ts';
import type { OperationRoute } from '../calls/router.ts';
import type { Ssd } from '../ssd.ts';
import type { AutoInfos } from './auto-infos.ts';
import { demandAutoInfo } from './indexed.ts';
import { vehiclesOfIdent } from './known.ts';
import { createVehicleView } from './view.ts';

/** What the vehicle operations share. */
export type VehiclesContext = {
  reference: Reference;
  autoInfos: AutoInfos;
  ssd: Ssd;
  /** How long indexing a vehicle takes, in milliseconds of the sandbox's clock. */
  indexTime: number;
  now: () => number;
};

/** The vehicle operations of group A. */
export function vehicleRoutes(ctx: VehiclesContext): OperationRoute[] {
  const route = (
    operation: OperationRoute['operation'],
    path: string,
    handle: (ctx: VehiclesContext, call: Call) => Reply,
  ): OperationRoute => ({
    operation,
    method: 'GET',
    path: `/us2/public/${path}/${operation}`,
    handle: async (call) => handle(ctx, call),
  });
  return [
    route('identify', 'vehicle', identify),
    route('identifyBySsd', 'vehicle', identifyBySsd),
    route('listAutoInfo', 'autoInfo', listAutoInfo),
    route('indexVehicle', 'autoInfo', indexVehicle),
    route('findByIdentString', 'autoInfo', findByIdentString),
  ];
}

function identify(ctx: VehiclesContext, call: Call): Reply {
  const parameters = readParameters(call.query);
  const ident = parameters.requiredText('identString');
  const locale = parameters.locale();
  parameters.end();
  return identified(ctx, call, locale, vehiclesOfIdent(ctx.reference, ident));
}

/** The three of them must belong together: an ssd is that of one vehicle of one catalog. */
function identifyBySsd(ctx: VehiclesContext, call: Call): Reply {
  const parameters = readParameters(call.query);
  const { vehicle, catalog } = ctx.ssd.read(parameters.requiredText('ssd'));
  const vehicleId = parameters.requiredText('vehicleId');
  const catalogCode = parameters.requiredText('catalog');
  const locale = parameters.locale();
  parameters.end();
  const found = ctx.reference.db().prepare('SELECT vehicle_id AS vehicleId FROM vehicles WHERE id = ?').get(vehicle);
  if (found?.['vehicleId'] !== vehicleId || catalog !== catalogCode) {
    const message = `The parameter ssd is not that of vehicle ${vehicleId} of catalog ${catalogCode}.`;
    throw new Refusal(400, 'INVALID_SSD', message);
  }
  return identified(ctx, call, locale, [vehicle]);
}

function identified(
  { autoInfos, reference, now }: VehiclesContext,
  { login, requestId }: Call,
  locale: ReturnType<typeof readLocale>,
  vehicles: readonly number[],
): Reply {
  const infos = autoInfos.identify(login.id, vehicles, now());
  const view = createVehicleView(reference, locale, now());
  return { status: 200, json: { data: infos.map(view.identified), requestId } };
}

function listAutoInfo({ autoInfos, reference, now }: VehiclesContext, { query, login, requestId }: Call): Reply {
  const parameters = readParameters(query);
  const { page, size } = parameters.page();
  parameters.end();
  const view = createVehicleView(reference, readLocale(), now());
  const total = autoInfos.count(login.id);
  const paging = { pageNumber: page, pageSize: size, totalPages: Math.ceil(total / size), totalElements: total };
  const data = autoInfos.list(login.id, page, size).map(view.whole);
  return { status: 200, json: { data, requestId, ...paging } };
}

function indexVehicle(ctx: VehiclesContext, { query, login, requestId }: Call): Reply {
  const { autoInfos, reference, now, indexTime } = ctx;
  const parameters = readParameters(query);
  const id = parameters.requiredInt64('autoInfoId');
  const locale = parameters.locale();
  parameters.end();
  const info = autoInfos.queue(demandAutoInfo(autoInfos, login.id, id), now(), now() + indexTime);
  return { status: 200, json: { data: createVehicleView(reference, locale, now()).whole(info), requestId } };
}

function findByIdentString({ autoInfos, reference, now }: VehiclesContext, { query, login, requestId }: Call): Reply {
  const parameters = readParameters(query);
  const ident = parameters.requiredText('identString');
  parameters.end();
  const view = createVehicleView(reference, readLocale(), now());
  const infos = autoInfos.of(login.id, vehiclesOfIdent(reference, ident));
  return { status: 200, json: { data: infos.map(view.whole), requestId } };
}
