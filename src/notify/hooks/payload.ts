import { z } from 'zod';

const id = z.string().describe('An id; a text, whatever it looks like.');
const at = z.number().describe('Epoch milliseconds.');
const url = z.string().nullable().describe('The page of the console; null without web.publicUrl.');
const supplier = z.string().nullable().describe('What people call the supplier; null when it concerns no single feed.');

const run = z.looseObject({
  run: id,
  feed: z.string(),
  supplier,
  login: z.string(),
  outcome: z.string().describe('live, partial, unchanged, held, rejected, failed or nothing.'),
  before: z.string().nullable().describe('The outcome that this one takes the place of; null the first time.'),
  cause: z.string().describe('Why, as a code of docs/reference/messages.md.'),
  reason: z.string().nullable().describe('Why, in a sentence.'),
  delivery: z.looseObject({ name: z.string(), sha256: z.string(), bytes: z.number() }).nullable(),
  rows: z
    .looseObject({ read: z.number(), accepted: z.number(), live: z.number().optional() })
    .nullable()
    .describe('The account of its rows, as far as it is known.'),
  createdAt: at,
  finishedAt: at.nullable(),
  url,
});

const incident = z.looseObject({
  incident: id,
  kind: z.string(),
  severity: z.enum(['high', 'medium', 'low']),
  title: z.string().describe('What is wrong, without a name.'),
  sentence: z.string().describe('What is wrong, and with what.'),
  text: z.string().describe('What is wrong, in a sentence.'),
  reason: z.looseObject({ code: z.string() }).nullable().describe('The same as a code with its facts.'),
  meaning: z.string(),
  steps: z.array(z.string()),
  login: z.string().nullable().describe('Null when it concerns the installation as a whole.'),
  feed: z.string().nullable(),
  supplier,
  run: id.nullable(),
  numbers: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
  times: z.number(),
  change: z
    .enum(['reason', 'reminder', 'work'])
    .nullable()
    .describe(
      'Of incident.changed: it has another reason, it has lasted for another day, or somebody took it, gave it away, wrote a note or stopped reminders.',
    ),
  taken: z.looseObject({ by: z.string(), at }).nullable().describe('Who works on it, and since when.'),
  since: at,
  until: at.nullable(),
  recovery: z.string().nullable(),
  url,
});

const dataset = z.looseObject({
  login: z.string(),
  dataset: id,
  sha256: z.string(),
  upload: id.nullable().describe('The id that the service gave to the upload.'),
  why: z.string().describe('composed, rollback or restore.'),
  rows: z.number(),
  rejected: z.number().describe('Rows that the service rejected.'),
  feeds: z.array(z.looseObject({ feed: z.string(), run: id, rows: z.number() })),
  url,
});

const decision = z.looseObject({
  decision: id,
  at,
  who: z.string(),
  action: z.string(),
  subject: z.string(),
  reason: z.string(),
  via: z.string().nullable().describe('cli, console or api.'),
  url,
});

const test = z.looseObject({ hook: z.string() });

export type IncidentData = z.output<typeof incident>;

/** What is told with each event. */
type Data = {
  'run.ended': z.output<typeof run>;
  'incident.opened': IncidentData;
  'incident.changed': IncidentData;
  'incident.closed': IncidentData;
  'dataset.live': z.output<typeof dataset>;
  'decision.made': z.output<typeof decision>;
  'hook.test': z.output<typeof test>;
};

/** The names of all events. */
export type Told = keyof Data;

const DATA = {
  'run.ended': run,
  'incident.opened': incident,
  'incident.changed': incident,
  'incident.closed': incident,
  'dataset.live': dataset,
  'decision.made': decision,
  'hook.test': test,
} satisfies Record<Told, z.ZodType>;

/** An event as it is told. */
export type Payload<Event extends Told = Told> = {
  [One in Event]: { type: One; timestamp: string; seq: number | null; sandbox: boolean; data: Data[One] };
}[Event];

/** Every event that is told, and that of `offerline hooks test`, with a sentence about each. */
export const TOLD: Record<Told, string> = {
  'run.ended': 'A run has an outcome, or another one than before.',
  'incident.opened': 'Something is wrong.',
  'incident.changed': 'What is wrong has another reason, has lasted for another day, or somebody works on it.',
  'incident.closed': 'What was wrong is right again.',
  'dataset.live': 'A dataset of a login is verified as live.',
  'decision.made': 'A person decided something.',
  'hook.test': 'Somebody tries the hook; every hook is told.',
};

/** The schema of the body of an event. */
export function payloadSchema(event: Told): z.ZodType {
  return z.looseObject({
    type: z.literal(event),
    timestamp: z.string().describe('When it happened, as ISO 8601.'),
    seq: z
      .int()
      .nullable()
      .describe(
        'Its place among the events about the same incident, run or login: later ones have more. Null of a test.',
      ),
    sandbox: z.boolean().describe('True where the built-in sandbox stands in for the service.'),
    data: DATA[event],
  });
}

/** The event that a body is made of. */
export function payloadIn(body: string): Payload {
  return JSON.parse(body) as Payload;
}
