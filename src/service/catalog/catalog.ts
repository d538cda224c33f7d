import { checkParameters } from '../operation/check-parameters.ts';
import type { CallOptions, Client } from '../client.ts';
import { callable, functionsOf, type FunctionsOf } from '../call/functions.ts';
import { checkFields } from './check-fields.ts';
import { catalogOperations } from './operations.ts';
import type { CatalogInfo } from './schemas.ts';

/** The functions of the vehicle catalog. */
export type Catalog = FunctionsOf<typeof catalogOperations>;

/** The functions of the vehicle catalog; fields of custom operations are checked by what each catalog says, which is asked once. */
export function createCatalog(client: Client): Catalog {
  const catalog = functionsOf(catalogOperations, client);
  const infos = new Map<string, CatalogInfo>();
  async function infoOf(code: string, options: CallOptions): Promise<CatalogInfo> {
    const info = infos.get(code) ?? (await catalog.getCatalogInfo({ catalog: code }, options));
    infos.set(code, info);
    return info;
  }
  return {
    ...catalog,
    execCustomOperation: callable(async (parameters, options: CallOptions = {}) => {
      checkParameters(catalogOperations.execCustomOperation, parameters);
      const { catalog: code, operation, fields = {} } = parameters;
      const started = client.clock.now();
      if (code !== undefined) checkFields(await infoOf(code, options), operation, fields, client.log);
      const { deadline = client.deadline } = options;
      const left =
        deadline === undefined ? undefined : Math.max(1, Math.ceil(deadline - (client.clock.now() - started)));
      return catalog.execCustomOperation.withResponse(parameters, { ...options, deadline: left });
    }),
  };
}
