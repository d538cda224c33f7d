import { z } from 'zod';
import { listRequests, requestAnswer } from '../../ledger/alerts/requests.ts';
import { namedRequest } from '../named.ts';
import { MAY } from '../route.ts';
import { sees, tokenOf } from '../visit.ts';
import { operation, type ApiOperation } from './operation.ts';
import { REASON, REQUEST, WOKEN } from './shapes.ts';

const reasoned = z.strictObject({ reason: REASON });

/** What people asked for and a second person has to agree to. */
export const REQUESTS: readonly ApiOperation[] = [
  operation({
    method: 'GET',
    path: '/requests',
    id: 'requests',
    tag: 'decisions',
    may: MAY.see,
    summary: 'The approvals and rollbacks that were asked for and wait for a second person.',
    query: z.strictObject({ all: z.stringbool().optional() }),
    answer: z.array(REQUEST),
    carryOut: async ({ query: { all = false } }, visit) => {
      const { ledger } = visit.ctx;
      const now = await ledger.now();
      const rows = (await listRequests(ledger.db, { all })).filter(({ feed }) => sees(feed, visit));
      const answers = rows.map((row) => requestAnswer(row, now));
      return answers.filter(({ ended }) => all || ended === null);
    },
  }),
  operation({
    method: 'POST',
    path: '/requests/{request}/agree',
    id: 'agree',
    tag: 'decisions',
    may: MAY.decide,
    summary: 'Agree to what somebody else asked for: it is carried out. A token of whoever asked cannot agree.',
    body: reasoned,
    answer: WOKEN,
    carryOut: async ({ body }, visit) => {
      const { id: request } = await namedRequest(visit);
      return visit.call('agree', { request, ...tokenOf(visit.visitor), ...body });
    },
  }),
  operation({
    method: 'POST',
    path: '/requests/{request}/decline',
    id: 'decline',
    tag: 'decisions',
    may: MAY.decide,
    summary: 'Decline what somebody else asked for, or withdraw what you asked for.',
    body: reasoned,
    answer: REQUEST,
    carryOut: async ({ body }, visit) => {
      const { id: request } = await namedRequest(visit);
      return visit.call('decline', { request, ...tokenOf(visit.visitor), ...body });
    },
  }),
];
