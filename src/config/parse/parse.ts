import type { z } from 'zod';
import { explainIssues } from './explain.ts';
import { matches, valueAt, type Path } from '../read/path.ts';
import type { Finding } from '../read/problem.ts';
import { configSchema, type ParsedConfig } from '../schema/schema.ts';

type Issue = z.core.$ZodIssue;

/** What a required setting that is missing or wrong is replaced with, so that the rules can judge the rest of the file. */
const STAND_INS: [pattern: string, value: unknown][] = [
  ['service.baseUrl', 'http://localhost'],
  ['logins', {}],
  ['feeds', {}],
  ['logins.*', {}],
  ['logins.*.auth', { type: 'none' }],
  ['feeds.*.login', 'unknown'],
  ['feeds.*.source', { type: 'directory', path: '.' }],
  ['feeds.*.source.path', '.'],
  ['feeds.*.source.url', 'http://localhost'],
  ['feeds.*.source.host', 'localhost'],
  ['feeds.*.source.user', 'unknown'],
  ['feeds.*.source.site', 'localhost.localdomain'],
  ['feeds.*.source.auth', { type: 'none' }],
  ['feeds.*.schedule.cron', '0 0 * * *'],
  ['managers.*', { email: 'unknown@example.com' }],
  ['managers.*.email', 'unknown@example.com'],
];

/**
 * Checks a configuration against the schema. The result has a configuration even when there are findings: what was wrong
 * is left out or stood in for, and no finding of a later check counts at the place of an earlier one.
 */
export function parseConfig(
  written: unknown,
  show: (path: Path) => string,
): { config: ParsedConfig; findings: Finding[] } {
  const first = configSchema.safeParse(written);
  if (first.success) return { config: first.data, findings: [] };
  const findings = explainIssues(first.error.issues, written, show);
  return { config: repaired(written, first.error.issues), findings };
}

const MOST_ROUNDS = 10;

function repaired(written: unknown, found: readonly Issue[]): ParsedConfig {
  const copy: unknown = structuredClone(written);
  let issues = found;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    for (const issue of issues) repair(copy, issue);
    const parsed = configSchema.safeParse(copy);
    if (parsed.success) return parsed.data;
    issues = parsed.error.issues;
  }
  return configSchema.parse({ logins: {}, feeds: {} });
}

function repair(root: unknown, issue: Issue): void {
  const path = issue.path as (string | number)[];
  if (issue.code === 'unrecognized_keys') for (const key of issue.keys) remove(root, [...path, key]);
  else if (issue.code === 'invalid_key') remove(root, path);
  else replace(root, path);
}

function replace(root: unknown, path: Path): void {
  const key = path.at(-1);
  const parent = valueAt(root, path.slice(0, -1));
  if (key === undefined || typeof parent !== 'object' || parent === null) return;
  const standIn = STAND_INS.find(([pattern]) => matches(path, pattern));
  if (standIn !== undefined) (parent as Record<string, unknown>)[key] = structuredClone(standIn[1]);
  else if (Array.isArray(parent) || !Object.hasOwn(parent, key)) replace(root, path.slice(0, -1));
  else remove(root, path);
}

function remove(root: unknown, path: Path): void {
  const parent = valueAt(root, path.slice(0, -1));
  if (typeof parent === 'object' && parent !== null) delete (parent as Record<string, unknown>)[path.at(-1) ?? ''];
}
