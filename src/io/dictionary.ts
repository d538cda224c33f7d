/**
 * An object whose keys are names from outside. It inherits nothing, so that `constructor`, `toString` and `__proto__` are
 * names like any other: absent until they are put in.
 */
export function dictionary<Value>(entries: Iterable<readonly [string, Value]> = []): Record<string, Value> {
  const made = Object.create(null) as Record<string, Value>;
  for (const [name, value] of entries) made[name] = value;
  return made;
}

/**
 * What an object holds under a name from outside. Objects that came as JSON or from another thread inherit `constructor` and the
 * like, and are read by this only.
 */
export function own<Value>(given: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(given, name) ? given[name] : undefined;
}
