import { z } from 'zod';
import { credentialSchema } from '../settings.ts';
import { parseDuration } from '../duration.ts';

const DURATION = 'expected a duration such as 250ms, 5s, 15m, 2h or 14d';
const duration = z.string({ error: DURATION }).transform((text, context) => {
  const ms = parseDuration(text);
  if (ms === undefined) context.addIssue({ code: 'custom', message: DURATION });
  return ms ?? 0;
});

/** The operations of the service that a fault may be about. */
export const OPERATIONS = [
  ...(['process', 'get', 'list', 'source', 'listTags', 'errors'] as const),
  ...(['search', 'advancedSearch', 'searchByOems', 'countByTags', 'countByTagsExt'] as const),
  ...(['identify', 'identifyBySsd', 'listAutoInfo', 'indexVehicle', 'findByIdentString'] as const),
  ...(['getCatalogInfo', 'findVehicle', 'findVehicleByPlateNumber', 'getVehicleInfo', 'execCustomOperation'] as const),
  ...(['listUnits', 'listDetailByUnit', 'listQuickGroup', 'listQuickDetail', 'command'] as const),
] as const;
export type Operation = (typeof OPERATIONS)[number];

const WHOLE = 'expected a whole number from 1';
const wholeNumber = z.int({ error: WHOLE }).min(1, WHOLE);

/** What every fault has: when it acts, how often, and after which wait. */
const common = {
  /** The user of basic credentials, the id of a login, the word `none`, or a credential. Absent: every login. */
  login: z.union([z.string().min(1), credentialSchema], { error: 'expected a user name or a credential' }).optional(),
  /** Name of the uploaded file; `*` stands for any characters. Absent: every file, and calls that are about none. */
  file: z.string().min(1).optional(),
  /** The first matching call at which it acts. */
  nth: wholeNumber.default(1),
  times: z
    .union([z.literal('forever'), z.int().refine((times) => times >= 1, `${WHOLE}, or forever`)], {
      error: `${WHOLE}, or forever`,
    })
    .default(1),
  /** How long the call waits before the fault acts, by the sandbox's clock. */
  delay: duration.default(0),
};

const operation = z.enum([...OPERATIONS, 'any']).default('process');
const when = z.enum(['before', 'after']);
const every = wholeNumber;
const name = z.string().min(1).max(255);
/** Times by the sandbox's clock; `forever` has no end. */
const forDuration = z.union([z.literal('forever'), duration], { error: `${DURATION}, or forever` });

/** Where the reply goes wrong; the operation may be any. */
const replies = [
  z.strictObject({ fault: z.literal('lose-reply'), operation, ...common }),
  z.strictObject({ fault: z.literal('hang'), operation, when: when.default('after'), ...common }),
  z.strictObject({
    fault: z.literal('refuse'),
    operation,
    status: z.int().min(400).max(599).default(503),
    retryAfter: duration.optional(),
    code: z.string().default('UNAVAILABLE'),
    message: z.string().default('The service is not available now; try again later.'),
    ...common,
  }),
  z.strictObject({ fault: z.literal('reset'), operation, afterBytes: z.int().min(0).default(1), ...common }),
  z.strictObject({ fault: z.literal('cut-reply'), operation, ...common }),
  z.strictObject({ fault: z.literal('truncate'), operation, ...common }),
  z.strictObject({
    fault: z.literal('html'),
    operation,
    when: when.default('after'),
    status: z.int().min(200).max(599).default(200),
    ...common,
  }),
  z.strictObject({
    fault: z.literal('slow-reply'),
    operation,
    when: when.default('after'),
    ...common,
    delay: duration,
  }),
] as const;

/** What becomes of an upload; all are about `process`. */
const uploads = [
  z.strictObject({ fault: z.literal('late-accept'), after: duration, ...common }),
  z.strictObject({ fault: z.literal('stuck'), for: forDuration.default('forever'), ...common }),
  z.strictObject({ fault: z.literal('slow'), for: duration, ...common }),
  z.strictObject({
    fault: z.literal('fail'),
    error: z.string().default('The upload could not be processed.'),
    ...common,
  }),
  z.strictObject({ fault: z.literal('abort'), error: z.string().optional(), ...common }),
  z.strictObject({
    fault: z.literal('reject-rows'),
    every: every.default(10),
    /** Rows with these article numbers, instead of every n-th. */
    oems: z.array(z.string().min(1)).min(1).optional(),
    code: z.string().default('REJECTED'),
    message: z.string().default('The service does not like this row'),
    /** Text of the record, although its state is success. */
    error: z.string().optional(),
    ...common,
  }),
  z.strictObject({
    fault: z.literal('unknown-state'),
    state: name.default('postponed'),
    for: forDuration.optional(),
    ...common,
  }),
  z.strictObject({ fault: z.literal('source-file'), name: name.nullable().default(null), ...common }),
  z.strictObject({
    fault: z.literal('error-columns'),
    /** Header → what stands below it, before the row's own cells; `blank` is empty. */
    columns: z
      .record(z.string().min(1), z.enum(['line', 'code', 'message', 'blank']))
      .default({ Severity: 'blank', 'Row no.': 'line', Reason: 'message' }),
    /** Columns of the row that are left out. */
    omit: z.array(z.string().min(1)).default([]),
    ...common,
  }),
  z.strictObject({ fault: z.literal('index-lag'), for: duration, ...common }),
  z.strictObject({ fault: z.literal('descending-id'), ...common }),
] as const;

/** What the service says of an upload, and who else uploads. */
const others = [
  z.strictObject({
    fault: z.literal('lose-rows'),
    every: every.optional(),
    rows: wholeNumber.default(1),
    ...common,
  }),
  z.strictObject({ fault: z.literal('lose-tags'), tags: wholeNumber.default(1), ...common }),
  z.strictObject({
    fault: z.literal('foreign-upload'),
    operation,
    when: when.default('before'),
    name: name.default('portfolio.txt'),
    rows: z.int().min(0).default(1),
    ...common,
  }),
  z.strictObject({ fault: z.literal('second-installation'), after: duration.default(0), ...common }),
] as const;

export const faultSchema = z.discriminatedUnion('fault', [...replies, ...uploads, ...others], {
  error: (issue) => (issue.code === 'invalid_union' ? `expected one of ${KINDS.join(', ')}` : undefined),
});

/** A file of faults: `faults` is the list. */
export const faultsSchema = z.strictObject(
  { faults: z.array(faultSchema, { error: 'expected a list of faults' }).max(1000) },
  { error: (issue) => (issue.code === 'invalid_type' ? 'expected faults: and a list of them' : undefined) },
);

export type Fault = z.output<typeof faultSchema>;
export type FaultInput = z.input<typeof faultSchema>;
export type FaultKind = Fault['fault'];
export type FaultOf<K extends FaultKind> = Extract<Fault, { fault: K }>;

const KINDS: string[] = [...replies, ...uploads, ...others].map((kind) => kind.shape.fault.value);

/** What is wrong with faults as written, one line each with its place. */
export function faultProblems(error: z.ZodError): string[] {
  return error.issues.map((issue) => `${issue.path.join('.') || '(top)'}: ${issue.message}`);
}
