import type { OperationRoute } from '../calls/router.ts';
import { readAsked } from './asked.ts';
import { answerCommand } from './command.ts';
import type { CatalogContext } from './context.ts';
import { CATALOG_OPERATIONS } from './operations.ts';

/** The operations of the catalog: each at its own path, and all of them as commands at one path. */
export function catalogRoutes(ctx: CatalogContext): OperationRoute[] {
  const rest = CATALOG_OPERATIONS.map((operation): OperationRoute => ({
    method: 'POST',
    path: operation.path,
    operation: operation.name,
    handle: async ({ query }) => ({ status: 200, json: operation.run(ctx, readAsked('rest', operation, query)).json }),
  }));
  const command: OperationRoute = {
    method: 'POST',
    path: ctx.settings.commandPath,
    operation: 'command',
    handle: (call) => answerCommand(ctx, call),
  };
  return [...rest, command];
}
