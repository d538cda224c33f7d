import { z } from 'zod';
import { LONGEST_REASON } from '../actions/world.ts';

/** What docs/reference/cli.md describes as the JSON answer of a command; more may be added to it at any time. */
export function answerOfCommand(command: string): z.ZodType {
  return z.looseObject({}).describe(`As \`offerline ${command} --json\` answers.`);
}

/** A list of such answers. */
export function listOfCommand(command: string): z.ZodType {
  return z.array(z.looseObject({})).describe(`As \`offerline ${command} --json\` answers.`);
}

/** What every decision is given. */
export const REASON = z
  .string()
  .trim()
  .min(1)
  .max(LONGEST_REASON)
  .describe('Why; it is recorded with the name of the token or user.');

/** What became of a decision: false where it is recorded and no worker was there to hear of it. */
export const WOKEN = z.object({ woken: z.boolean() });

/** A run that began. */
export const BEGUN = z.object({ run: z.string(), woken: z.boolean() });

/** Days, both included. */
export const RANGE = z.object({ from: z.string(), to: z.string() });

/** Nothing but that it was done. */
export const DONE = z.object({ done: z.literal(true) });

/** What was asked for and a second person has to agree to. */
export const REQUEST = z.looseObject({
  request: z.string(),
  action: z.enum(['approve', 'rollback']),
  login: z.string(),
  feed: z.string().nullable(),
  run: z.string().nullable(),
  upload: z.string().nullable(),
  by: z.string(),
  reason: z.string(),
  since: z.number(),
  until: z.number().describe('From then on nobody can agree any more.'),
  ended: z
    .looseObject({
      how: z.enum(['agreed', 'declined', 'withdrawn', 'expired', 'overtaken']),
      at: z.number(),
      by: z.string().nullable(),
      text: z.string(),
    })
    .nullable()
    .describe('How it ended; null while it waits.'),
});

/** That a second person has to agree before anything is done. */
export const ASKED = z.object({
  asked: REQUEST,
  nobodyElse: z.boolean().describe('Nobody else may agree, by the users and tokens that there are now.'),
});
