/** A credential that no log, answer or error can show by accident: printing or serialising it gives `[secret]`. */
export type Secret = { reveal: () => string };

/** Wraps a credential so that only an explicit `reveal()` gives it away. */
export function secret(value: string): Secret {
  const hidden = '[secret]';
  return Object.freeze({
    reveal: () => value,
    toString: () => hidden,
    toJSON: () => hidden,
    [Symbol.for('nodejs.util.inspect.custom')]: () => hidden,
  });
}
