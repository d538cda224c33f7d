/** Where a setting is, from the top of the configuration: keys and positions in lists. */
export type Path = readonly (string | number)[];

/** A path as users write it: `feeds.north.schedule.cron`, `managers[0].email`. */
export function showPath(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[\w$-]+$/u.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

/** True when `path` is `above` or lies under it. */
export function isWithin(path: Path, above: Path): boolean {
  return above.length <= path.length && above.every((step, index) => step === path[index]);
}

/** What is written at a path, or undefined. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

/** True when a path has the shape of a pattern such as `feeds.*.schedule`, where `*` stands for any one step. */
export function matches(path: Path, pattern: string): boolean {
  const steps = pattern.split('.');
  return steps.length === path.length && steps.every((step, index) => step === '*' || step === path[index]);
}
