import { hideFromNowOn } from '../../wording/redact.ts';

/** A credential that no log, answer or error can show by accident: printing or serialising it gives `[secret]`. */
export type Secret = { reveal: () => string };

/** Wraps a credential so that only an explicit `reveal()` gives it away, and hides it in every text that is redacted from now on. */
export function secret(value: string): Secret {
  hideFromNowOn(value);
  const hidden = '[secret]';
  return Object.freeze({
    reveal: () => value,
    toString: () => hidden,
    toJSON: () => hidden,
    [Symbol.for('nodejs.util.inspect.custom')]: () => hidden,
  });
}
