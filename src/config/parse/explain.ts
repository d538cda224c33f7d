import type { z } from 'zod';
import { own } from '../../io/dictionary.ts';
import { configJsonSchema, knownKeys, type JsonSchema } from '../schema/json-schema.ts';
import { advise } from '../read/nearest.ts';
import { valueAt, type Path } from '../read/path.ts';
import type { Finding } from '../read/problem.ts';

type Issue = z.core.$ZodIssue;

/**
 * Turns the schema's issues into sentences for users: what was expected, what is there, the nearest known key. `root` is
 * the configuration as written; `show` gives the value at a path, with what is secret hidden.
 */
export function explainIssues(issues: readonly Issue[], root: unknown, show: (path: Path) => string): Finding[] {
  return issues.flatMap((issue) => {
    const path = issue.path as (string | number)[];
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key, root));
    if (issue.code === 'invalid_key') {
      return [{ path, at: 'key' as const, message: issue.issues[0]?.message ?? issue.message }];
    }
    if (valueAt(root, path) === undefined) return [{ path, message: `is missing; ${expectation(issue)}` }];
    return [{ path, message: `${expectation(issue)}, found ${show(path)}` }];
  });
}

function unknownKey(path: Path, key: string, root: unknown): Finding {
  const known = knownKeys(configJsonSchema() as JsonSchema, path, root).filter((name) => name !== '$schema');
  return { path: [...path, key], at: 'key', message: `unknown key; ${advise(key, known)}` };
}

const KINDS: Record<string, string> = {
  object: 'a map (key: value)',
  record: 'a map (key: value)',
  array: 'a list ([a, b])',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

function expectation(issue: Issue): string {
  if (issue.message.startsWith('expected')) return issue.message;
  if (issue.code === 'invalid_type') return `expected ${own(KINDS, issue.expected) ?? issue.expected}`;
  if (issue.code === 'invalid_value') return `expected ${oneOf(issue.values.map(String))}`;
  if (issue.code === 'invalid_union' && 'options' in issue)
    return `expected ${oneOf((issue.options as unknown[]).map(String))}`;
  if (issue.code === 'too_small') return `expected ${amount(issue.origin, `at least ${issue.minimum}`)}`;
  if (issue.code === 'too_big') return `expected ${amount(issue.origin, `at most ${issue.maximum}`)}`;
  if (issue.code === 'invalid_format' && issue.format === 'email')
    return 'expected a mail address such as ops@example.com';
  return issue.message;
}

function amount(origin: string, bound: string): string {
  if (origin === 'string') return `a text of ${bound} character${bound.endsWith(' 1') ? '' : 's'}`;
  if (origin === 'array') return `a list of ${bound}`;
  return `a number of ${bound}`;
}

function oneOf(values: string[]): string {
  return values.length === 1 ? values[0]! : `one of ${values.join(', ')}`;
}
