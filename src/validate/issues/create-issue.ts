import type { Issue, Severity } from '../../model.ts';
import { printable, shortened } from '../../wording/printable.ts';
import { ISSUES, type IssueCode } from './catalogue.ts';

/** Where an issue was found. */
export type Place = { line: number | null; column?: string | null; value?: string | null };

/** The facts that the message of a code needs besides line and column. */
type Facts<Code extends IssueCode> = Record<
  Exclude<Placeholder<(typeof ISSUES)[Code]['message']>, 'line' | 'column'>,
  string | number
>;
type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** Longer values are cut in issues, which name the place anyway. */
const VALUE_LENGTH = 200;

/** An issue of the catalogue with its message filled in; `severity` is the catalogue's unless the case is milder. */
export function createIssue<Code extends IssueCode>(
  code: Code,
  place: Place,
  facts: Facts<Code>,
  severity: Severity = ISSUES[code].severity,
): Issue {
  const { line, column = null, value = null } = place;
  return {
    code,
    severity,
    sheet: null,
    line,
    column,
    value: value === null ? null : shortened(value, VALUE_LENGTH),
    message: fill(code, place, facts),
  };
}

/** Messages split into texts and names of placeholders, in turn; split once for each code. */
const templates = new Map<IssueCode, string[]>();

function fill(code: IssueCode, { line, column = null }: Place, facts: Record<string, string | number>): string {
  let parts = templates.get(code);
  if (parts === undefined) {
    parts = ISSUES[code].message.split(/\{(\w+)\}/);
    templates.set(code, parts);
  }
  let message = parts[0]!;
  for (let at = 1; at < parts.length; at += 2) {
    const name = parts[at]!;
    message += printable(String(facts[name] ?? (name === 'line' ? line : column))) + parts[at + 1]!;
  }
  return message.trimEnd();
}
