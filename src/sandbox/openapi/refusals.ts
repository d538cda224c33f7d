import { ref, TEXT, type Json } from './schema.ts';

/** Why an operation refuses: the status and what it means. */
const REFUSALS = {
  INVALID_PARAMETER: [400, 'A parameter is missing, unknown, given twice, or not what is expected.'],
  INVALID_SSD: [400, 'The `ssd` is not one that this service gave, or not that of the vehicle.'],
  BODY_BROKEN: [400, 'The body is not the JSON or the multipart that it should be.'],
  FILE_MISSING: [400, 'The multipart body has no file in the expected field.'],
  FILE_REPEATED: [400, 'The multipart body has more than one file in the field.'],
  INVALID_COMMAND: [400, 'The body is not one line `Command:Name=value|Name=value`.'],
  UNAUTHORIZED: [401, 'The login is not known; only where the settings of the sandbox list its `logins`.'],
  FORBIDDEN: [403, 'The login does not hold the right MANAGE_OFFERS.'],
  OFFER_NOT_FOUND: [404, 'The login has no such upload.'],
  NO_ERROR_FILE: [404, 'The upload has no error file: `errorFileExists` is false.'],
  AUTO_INFO_NOT_FOUND: [404, 'The login has not identified this vehicle.'],
  CATALOG_NOT_FOUND: [404, 'There is no catalog of this code.'],
  VEHICLE_NOT_FOUND: [404, 'The vehicle of the `ssd` is not there any more.'],
  OPERATION_NOT_FOUND: [404, 'The catalog does not have this operation.'],
  CATEGORY_NOT_FOUND: [404, 'The catalog does not have this category.'],
  UNIT_NOT_FOUND: [404, 'The vehicle does not have this unit.'],
  QUICK_GROUP_NOT_FOUND: [404, 'The catalog does not have this quick group.'],
  UNKNOWN_COMMAND: [404, 'There is no command of this name.'],
  UPLOAD_UNFINISHED: [409, 'An earlier upload of the login is unfinished.'],
  VEHICLE_NOT_INDEXED: [409, 'The vehicle is not indexed yet.'],
  FILE_TOO_LARGE: [413, 'The file has more bytes than the sandbox takes.'],
  BODY_TOO_LARGE: [413, 'The body has more bytes than a search needs.'],
  COMMAND_TOO_LONG: [413, 'The command has more bytes than a command needs.'],
  FILE_UNUSABLE: [422, 'The uploaded archive is broken, so that its text cannot be shown.'],
} as const satisfies Record<string, readonly [status: number, meaning: string]>;

/** A code of the body of a refusal. */
export type RefusalCode = keyof typeof REFUSALS;

/** Stands for the id of a call in every example. */
export const REQUEST_ID = '3f0d2b9e-6a51-4c7e-9b1d-2f8a5c4e7d10';

/** How the body of a refusal is written. */
type Form = { mediaType: string; schema: Json; write: (code: RefusalCode, message: string) => unknown };

const JSON_FORM: Form = {
  mediaType: 'application/json',
  schema: ref('Refusal'),
  write: (code, message) => ({ error: { code, message }, requestId: REQUEST_ID }),
};

/** The body of the command form. */
export const XML_FORM: Form = {
  mediaType: 'text/xml',
  schema: TEXT,
  write: (_code, message) => message,
};

/** Before the operation begins, the login is checked; what is refused then is JSON in both forms. */
const BEFORE: RefusalCode[] = ['UNAUTHORIZED', 'FORBIDDEN'];

/** The responses of refusals by status: those of the operation, and those that every operation has. */
export function refusalsOf(
  own: RefusalCode[],
  messages: Record<string, string> = {},
  form: Form = JSON_FORM,
): Record<string, Json> {
  const codes: RefusalCode[] = ['INVALID_PARAMETER', ...own, 'UNAUTHORIZED'];
  const byStatus = Map.groupBy(codes, (code) => REFUSALS[code][0]);
  const statuses = [...byStatus].sort(([one], [other]) => one - other);
  return {
    ...Object.fromEntries(statuses.map(([status, codes]) => [String(status), responseOf(codes, messages, form)])),
    default: {
      description:
        'Any other refusal: a path or a method that is not served (404 UNKNOWN_PATH, 405 METHOD_NOT_ALLOWED), or a failure of the service (500 INTERNAL).',
      content: { [JSON_FORM.mediaType]: { schema: JSON_FORM.schema } },
    },
  };
}

function responseOf(codes: RefusalCode[], messages: Record<string, string>, given: Form): Json {
  const form = codes.some((code) => BEFORE.includes(code)) ? JSON_FORM : given;
  const examples = codes.flatMap((code) => {
    const message = messages[code];
    return message === undefined ? [] : [[code, { summary: REFUSALS[code][1], value: form.write(code, message) }]];
  });
  return {
    description: codes.map((code) => `${code}: ${REFUSALS[code][1]}`).join(' '),
    content: {
      [form.mediaType]: {
        schema: form.schema,
        ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) as Json }),
      },
    },
  };
}
