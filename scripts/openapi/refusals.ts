import { exampleCall, operationsOf, withParameter, type Call, type Document } from './calls.ts';

/** What a sandbox that refuses knows: uploads in several states, a vehicle that is not indexed, an ssd of none. */
export type Known = {
  offers: { good: string; broken: string };
  unindexed: string;
  ssdOfNoVehicle: string;
  /** Headers of logins that the strict sandbox knows: one that may upload, and one that may not. */
  member: Record<string, string>;
  guest: Record<string, string>;
};

/** A call that is refused. In a strict sandbox only known logins enter, and files are small. */
export type RefusedCall = { id: string; code: string; strict: boolean; call: Call };

/** A call for each refusal of each operation. */
export function refusedCalls(document: Document, known: Known): RefusedCall[] {
  const examples = new Map(operationsOf(document).map((one) => [one.operation.operationId, exampleCall(one)]));
  const refused = (id: string, code: string, change: (call: Call) => Call, strict = false): RefusedCall => ({
    id,
    code,
    strict,
    call: change(examples.get(id)!),
  });
  const asking = (ids: string[], code: string, name: string, value: string) =>
    ids.map((id) => refused(id, code, (call) => withParameter(call, name, value)));
  const ids = [...examples.keys()].filter((id) => id !== 'command');
  const withSsd = ['getVehicleInfo', 'listUnits', 'listDetailByUnit', 'listQuickGroup', 'listQuickDetail'];
  const withCatalog = ['getCatalogInfo', 'findVehicle', 'findVehicleByPlateNumber', 'execCustomOperation', ...withSsd];
  const searches = ['search', 'searchByOems', 'searchByOems2', 'countByTags', 'countByTagsExt'];
  return [
    ...asking(ids, 'INVALID_PARAMETER', 'colour', 'red'),
    ...[...ids, 'command'].map((id) => refused(id, 'UNAUTHORIZED', (call) => call, true)),
    ...asking(['get', 'source', 'listTags', 'errors'], 'OFFER_NOT_FOUND', 'offerId', '1'),
    ...asking(['errors'], 'NO_ERROR_FILE', 'offerId', known.offers.good),
    ...asking(['source'], 'FILE_UNUSABLE', 'offerId', known.offers.broken),
    ...asking([...searches, 'indexVehicle'], 'AUTO_INFO_NOT_FOUND', 'autoInfoId', '1'),
    ...asking(searches, 'VEHICLE_NOT_INDEXED', 'autoInfoId', known.unindexed),
    ...asking(['identifyBySsd', ...withSsd], 'INVALID_SSD', 'ssd', 'changed'),
    ...asking(withSsd, 'VEHICLE_NOT_FOUND', 'ssd', known.ssdOfNoVehicle),
    ...asking(withCatalog, 'CATALOG_NOT_FOUND', 'catalog', 'NONE'),
    ...asking(['execCustomOperation'], 'OPERATION_NOT_FOUND', 'operation', 'telepathy'),
    ...asking(['listUnits'], 'CATEGORY_NOT_FOUND', 'categoryId', 'NONE'),
    ...asking(['listDetailByUnit'], 'UNIT_NOT_FOUND', 'unitId', 'NONE'),
    ...asking(['listQuickDetail'], 'QUICK_GROUP_NOT_FOUND', 'quickGroupId', '999999'),
    ...['advancedSearch', 'advancedSearch2'].flatMap((id) => [
      refused(id, 'AUTO_INFO_NOT_FOUND', searching({ autoInfoId: 1 })),
      refused(id, 'VEHICLE_NOT_INDEXED', searching({ autoInfoId: Number(known.unindexed) })),
      refused(id, 'BODY_BROKEN', (call) => ({ ...call, body: '{' })),
      refused(id, 'BODY_TOO_LARGE', searching({ query: 'x'.repeat(1_000_000) })),
    ]),
    ...uploads(known, examples.get('process')!),
    ...commands(known, examples.get('command')!, ssdOf(examples.get('listQuickGroup')!)),
  ];
}

function searching(fields: Record<string, unknown>): (call: Call) => Call {
  return (call) => ({ ...call, body: JSON.stringify({ searchBy: 'OFFER', ...fields }) });
}

function uploads({ member, guest }: Known, example: Call): RefusedCall[] {
  const refused = (code: string, change: Partial<Call>, strict = false): RefusedCall => ({
    id: 'process',
    code,
    strict,
    call: { ...example, ...change },
  });
  // The login of the examples has an unfinished upload, which is looked at before the body is.
  const other = { authorization: 'Bearer another-login' };
  const parts = (...names: string[]) => {
    const body = new FormData();
    for (const name of names) body.append(name, new Blob(['brand\toem\n']), 'offers.txt');
    return { body, headers: other };
  };
  return [
    refused('BODY_BROKEN', { headers: { ...other, 'content-type': 'multipart/form-data' }, body: 'no boundary' }),
    refused('FILE_MISSING', parts('file')),
    refused('FILE_REPEATED', parts('offersFile', 'offersFile')),
    refused('UPLOAD_UNFINISHED', {}),
    refused('FORBIDDEN', { headers: { ...example.headers, ...guest } }, true),
    refused('FILE_TOO_LARGE', { headers: { ...example.headers, ...member } }, true),
  ];
}

function commands({ ssdOfNoVehicle }: Known, example: Call, ssd: string): RefusedCall[] {
  const ofCatalog = 'Locale=en_US|Catalog=NRD2611';
  const own = `${ofCatalog}|VehicleId=10101|ssd=${ssd}`;
  const lines: Record<string, string> = {
    INVALID_PARAMETER: 'FindVehicle:Locale=en_US',
    INVALID_COMMAND: 'FindVehicle:Locale',
    UNKNOWN_COMMAND: 'FindEverything:Locale=en_US',
    COMMAND_TOO_LONG: `FindVehicle:Locale=en_US|IdentString=${'X'.repeat(70_000)}`,
    CATALOG_NOT_FOUND: 'GetCatalogInfo:Locale=en_US|Catalog=NONE',
    INVALID_SSD: `ListQuickGroup:${ofCatalog}|VehicleId=10101|ssd=changed`,
    VEHICLE_NOT_FOUND: `ListQuickGroup:${ofCatalog}|VehicleId=10101|ssd=${ssdOfNoVehicle}`,
    OPERATION_NOT_FOUND: `ExecCustomOperation:${ofCatalog}|operation=telepathy`,
    CATEGORY_NOT_FOUND: `ListUnits:${own}|CategoryId=NONE`,
    UNIT_NOT_FOUND: `ListDetailByUnit:${own.replace('|VehicleId=10101', '')}|UnitId=NONE`,
    QUICK_GROUP_NOT_FOUND: `ListQuickDetail:${own}|QuickGroupId=999999|All=0`,
  };
  return Object.entries(lines).map(([code, body]) => ({
    id: 'command',
    code,
    strict: false,
    call: { ...example, body },
  }));
}

function ssdOf({ query }: Call): string {
  return new Map(query).get('ssd')!;
}
