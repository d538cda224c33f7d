import { z } from 'zod';
import { MAY } from '../route.ts';
import { push } from '../push/push.ts';
import type { ApiOperation } from './operation.ts';

/** A file that was pushed, and what became of it so far. */
const PUSHED = z.object({
  delivery: z.string(),
  feed: z.string(),
  name: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  run: z.string().describe('The run that takes it.'),
  again: z.boolean().describe('The same was delivered before: this is that delivery.'),
  link: z.string().describe('The page of the run.'),
});

/** What is sent to feeds. */
export const PUSHES: readonly ApiOperation[] = [
  {
    method: 'PUT',
    path: '/feeds/{feed}/deliveries/{file}',
    id: 'push',
    tag: 'deliveries',
    may: MAY.push,
    summary:
      'Deliver a file to a feed whose source is `push`. 202: archive and ledger have it; 200: they had it before.',
    query: z.strictObject({}),
    body: null,
    file: true,
    answer: PUSHED,
    handle: push,
  },
];
