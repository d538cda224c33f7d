import { XMLParser } from 'fast-xml-parser';
import type { SandboxOptions } from '../../../src/sandbox/server.ts';
import { sandboxForTest } from '../../support/sandbox.ts';

export const FJELL = 'YX9ZZZF1ACN104813';
/** One VIN of three vehicles in two catalogs. */
export const SHARED_VIN = 'YX9ZZZF2CFN114439';

type Json = Record<string, unknown>;

/** A sandbox and both ways to ask its catalog; `json` and `xml` expect success. */
export async function catalogForTest(options: Partial<SandboxOptions> = {}) {
  const { url } = await sandboxForTest(options);
  const post = (path: string, values: Record<string, string>) =>
    fetch(`${url}${path}?${new URLSearchParams(values).toString()}`, { method: 'POST' });
  const send = (line: string) => fetch(`${url}/catalog`, { method: 'POST', body: line });
  const command = (name: string, values: Record<string, string>) =>
    send(
      `${name}:${Object.entries(values)
        .map(([key, value]) => `${key}=${value}`)
        .join('|')}`,
    );
  const json = async <T = Json[]>(operation: string, values: Record<string, string>): Promise<T> => {
    const path = operation === 'getCatalogInfo' ? '/restApi/v1/getCatalogInfo' : `/${operation}`;
    return accepted(await post(path, values)).json() as Promise<T>;
  };
  const xml = async (name: string, values: Record<string, string>): Promise<Json> =>
    parsed(await accepted(await command(name, { Locale: 'en_US', ...values })).text());
  /** The known vehicle that calls hand on: `{catalog, ssd, vehicleId}`. */
  const known = async (identString = FJELL) => {
    const [vehicle] = await json<Record<'catalog' | 'ssd' | 'vehicleId', string>[]>('findVehicle', { identString });
    const { catalog, ssd, vehicleId } = vehicle!;
    return { catalog, ssd, vehicleId };
  };
  return { url, post, send, command, json, xml, known };
}

function accepted(response: Response): Response {
  if (response.status !== 200) throw new Error(`The sandbox answered ${response.status}.`);
  return response;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  isArray: (name, _path, _isLeaf, isAttribute) =>
    !isAttribute &&
    ['row', 'attribute', 'Category', 'Unit', 'Detail', 'link', 'feature', 'operation', 'field'].includes(name),
});

/** Elements as objects of their attributes and lists of their children. */
export function parsed(text: string): Json {
  return parser.parse(text) as Json;
}
