import { z } from 'zod';
import { incidentAnswers } from '../../jobs/standing/incident-answer.ts';
import { namedIncident } from '../named.ts';
import { MAY } from '../route.ts';
import type { Visit } from '../visit.ts';
import { operation, type ApiOperation } from './operation.ts';
import { LONGEST_REASON } from '../actions/world.ts';
import { answerOfCommand } from './shapes.ts';

const AS = z.string().min(1).max(64).optional().describe('Who acts, for the others; default: the token.');
const FORCE = z.boolean().optional().describe('Also when somebody else has it; else that is refused with 409.');

/** What all of them have in common: each answers with the incident as it is then. */
const COMMON = {
  method: 'POST',
  tag: 'incidents',
  may: MAY.decide,
  answer: answerOfCommand('incidents take ID'),
} as const;

async function answerOf(visit: Visit) {
  return (await incidentAnswers([await namedIncident(visit)], visit.ctx))[0];
}

/** What people say of an incident. */
export const INCIDENT_WORK: readonly ApiOperation[] = [
  operation({
    ...COMMON,
    path: '/incidents/{incident}/take',
    id: 'takeIncident',
    summary: 'Say who works on an incident: others are not reminded of it while something happens.',
    body: z.strictObject({ as: AS, force: FORCE }),
    carryOut: async ({ body }, visit) => {
      await visit.call('takeIncident', { incident: (await namedIncident(visit)).id, ...body });
      return answerOf(visit);
    },
  }),
  operation({
    ...COMMON,
    path: '/incidents/{incident}/give',
    id: 'giveIncident',
    summary: 'Give an incident to a user of the console or to an address of managers, who gets a mail about it.',
    body: z.strictObject({ to: z.string().min(1).max(254), as: AS, force: FORCE }),
    carryOut: async ({ body }, visit) => {
      await visit.call('giveIncident', { incident: (await namedIncident(visit)).id, ...body });
      return answerOf(visit);
    },
  }),
  operation({
    ...COMMON,
    path: '/incidents/{incident}/note',
    id: 'noteIncident',
    summary: 'Write a note about an incident, also about one that is over.',
    body: z.strictObject({ text: z.string().trim().min(1).max(LONGEST_REASON), as: AS }),
    carryOut: async ({ body }, visit) => {
      await visit.call('noteIncident', { incident: (await namedIncident(visit)).id, ...body });
      return answerOf(visit);
    },
  }),
  operation({
    ...COMMON,
    path: '/incidents/{incident}/quiet',
    id: 'quietIncident',
    summary: 'Have nobody reminded of an incident for a while; that it gets worse ends it in any case.',
    body: z.strictObject({
      until: z.string().min(1).max(64).describe('`delivery`, `worse`, a span such as `3d`, a time, or `now`.'),
      as: AS,
    }),
    carryOut: async ({ body }, visit) => {
      await visit.call('quietIncident', { incident: (await namedIncident(visit)).id, ...body });
      return answerOf(visit);
    },
  }),
  operation({
    ...COMMON,
    path: '/incidents/{incident}/release',
    id: 'releaseIncident',
    summary: 'Give an incident back: nobody has it, and it is not quiet.',
    body: z.strictObject({ as: AS, force: FORCE }),
    carryOut: async ({ body }, visit) => {
      await visit.call('releaseIncident', { incident: (await namedIncident(visit)).id, ...body });
      return answerOf(visit);
    },
  }),
];
