import { describe } from 'vitest';
import { type GraphStyle, startGraph } from '../../support/servers/graph.ts';
import type { CannotShow } from '../cannot-show.ts';
import { serverConformance } from '../server/server-conformance.ts';
import { sourceConformance } from '../source-conformance.ts';

/* Services that tell more or less of their files than the descriptions say. */

const STYLES: [name: string, style: GraphStyle, cannotShow: CannotShow][] = [
  ['as described', { page: 200 }, []],
  ['in pages of seven', { page: 7 }, []],
  ['with sizes that are too small', { page: 200, sizesOffBy: -3 }, []],
  ['with sizes that are too large', { page: 200, sizesOffBy: 300 }, []],
  ['without tags of contents', { page: 200, lacks: ['cTag'] }, []],
  ['without tags', { page: 200, lacks: ['cTag', 'eTag'] }, []],
];

describe.each(STYLES)('Microsoft Graph, %s', (_, style, cannotShow) => {
  sourceConformance(
    'graph',
    async () => {
      const { source, publish, published, stop } = await startGraph(style);
      const twin = { ...source, site: 'shop.sharepoint.com/sites/suppliers/' };
      return { source, twin, place: source.endpoint!, publish, published, close: stop };
    },
    { cannotShow },
  );

  serverConformance(
    'graph',
    false,
    async () => {
      const double = await startGraph(style);
      const { source, stop, restart } = double;
      return { source, nowhere: { ...source, path: 'Lists/nowhere' }, supplier: double, stop, restart };
    },
    { isDouble: true, cannotShow },
  );
});
