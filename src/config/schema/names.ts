import { z } from './zod.ts';
import { dictionary } from '../../io/dictionary.ts';

const NAME =
  'expected a name of letters, digits, "-", "_" and ".", beginning with a letter or digit, at most 64 characters';

/** A name of a feed, a login, a worker, or a label. */
export const name = z.string({ error: NAME }).regex(/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$/, NAME);

/** The one name that zod leaves out of every map, without a word. */
const LEFT_OUT = '__proto__';

/** A map from names that users choose: all are read, and the result inherits none. */
export function names<Value extends z.ZodType>(key: z.ZodString, value: Value) {
  const record = z.record(key, value);
  const run = record._zod.run.bind(record._zod);
  record._zod.run = (payload, context) => {
    const written = payload.value as unknown;
    const done = run(payload, context);
    if (done instanceof Promise || typeof written !== 'object' || written === null) return done;
    const read = dictionary(Object.entries(done.value as Record<string, unknown>));
    if (Object.hasOwn(written, LEFT_OUT)) {
      const one = value._zod.run({ value: (written as Record<string, unknown>)[LEFT_OUT], issues: [] }, context);
      if (one instanceof Promise) throw new TypeError('values of names must be checked synchronously');
      const wrong = key.safeParse(LEFT_OUT).error?.issues ?? [];
      if (wrong.length > 0) {
        done.issues.push({ code: 'invalid_key', origin: 'record', issues: wrong, input: LEFT_OUT, path: [LEFT_OUT] });
      } else for (const issue of one.issues) done.issues.push({ ...issue, path: [LEFT_OUT, ...(issue.path ?? [])] });
      read[LEFT_OUT] = one.value;
    }
    done.value = read;
    return done;
  };
  return record;
}
