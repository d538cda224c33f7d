import { z } from './zod.ts';
import type { Secret } from '../secrets/secret.ts';

/** What a credential may consist of: the characters of a request header, one line of text, or any text. */
export type Fit = 'header' | 'line' | 'text';

/** The mark of a setting that is secret, in the word of JSON Schema: it is written and never shown. */
const SECRET = { writeOnly: true } as const;

/** A credential as it is written, until it is read: the text itself or the path of a file that holds it. */
export class WrittenCredential {
  readonly input: string | { file: string };
  readonly fit: Fit;

  constructor(input: string | { file: string }, fit: Fit) {
    this.input = input;
    this.fit = fit;
  }
}

/** A setting that is a credential. Nothing else says what is secret: messages, pages and `config show` go by this mark. */
export function credential(fit: Fit = 'header') {
  return z
    .union([z.string().min(1).meta(SECRET), z.strictObject({ file: z.string().min(1) })], {
      error: 'expected a non-empty text, "${NAME}" or { file: PATH }',
    })
    .transform((input) => new WrittenCredential(input, fit));
}

/** A program and its arguments, any of which may be a credential. */
export const secretCommand = z
  .array(
    z
      .string()
      .min(1)
      .transform((text) => new WrittenCredential(text, 'text')),
  )
  .min(1)
  .meta(SECRET);

/** What was parsed, with each credential in a form that cannot be printed by accident. */
export type WithSecrets<T> = T extends WrittenCredential
  ? Secret
  : T extends object
    ? { [K in keyof T]: WithSecrets<T[K]> }
    : T;
