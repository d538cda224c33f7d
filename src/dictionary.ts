/**
 * An object whose keys are names from outside. It inherits nothing, so that `constructor`, `toString` and `__proto__` are
 * names like any other: absent until they are put in.
 */
export function dictionary<Value>(entries: Iterable<readonly [string, Value]> = []): Record<string, Value> {
  const made = Object.create(null) as Record<string, Value>;
  for (const [name, value] of entries) made[name] = value;
  return made;
}

/** An object with names of its own, such as one that came as JSON or from another thread, as a dictionary. */
export function asDictionary<Value>(given: Record<string, Value>): Record<string, Value> {
  return dictionary(Object.entries(given));
}
