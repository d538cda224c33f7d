import { stringify } from 'yaml';
import { printable } from '../../wording/printable.ts';
import type { Setting } from './setting.ts';

type Branch = Map<string | number, Branch | Setting[]>;

/** Settings as YAML that can be pasted into a configuration, with a comment beside each that says where it comes from. */
export function asYaml(settings: Setting[]): string {
  const root: Branch = new Map();
  for (const setting of settings) put(root, setting);
  return linesOf(root, '').map(aligned).join('\n');
}

/** Settings of one path stand together; a remark on a map stands at its end. */
function put(root: Branch, setting: Setting): void {
  let branch = root;
  for (const step of setting.path.slice(0, -1)) {
    const next = branch.get(step) ?? new Map<string | number, Branch | Setting[]>();
    if (!(next instanceof Map)) return;
    branch.set(step, next);
    branch = next;
  }
  const last = setting.path.at(-1) ?? '';
  const there = branch.get(last);
  if (there instanceof Map) there.set(`# ${there.size}`, [setting]);
  else branch.set(last, [...(there ?? []), setting]);
}

type Line = { text: string; from: string };

function linesOf(branch: Branch, indent: string): Line[] {
  return [...branch].flatMap(([step, value]) => {
    const key = typeof step === 'number' ? '-' : `${scalar(step)}:`;
    if (!(value instanceof Map)) return value.map((setting) => lineOf(setting, key, indent));
    const line = isShown(value) ? key : isList(value) ? `# ${key}` : `${key} {}`;
    return [{ text: `${indent}${line}`, from: '' }].concat(linesOf(value, `${indent}  `));
  });
}

/** A map of which remarks are left alone is an empty one. */
function isShown(branch: Branch): boolean {
  return [...branch.values()].some((value) =>
    value instanceof Map ? isShown(value) : value.some(({ shown }) => shown),
  );
}

function isList(branch: Branch): boolean {
  return [...branch.keys()].every((step) => typeof step === 'number');
}

function lineOf({ path, value, from, shown }: Setting, key: string, indent: string): Line {
  const name = typeof path.at(-1) === 'number' ? '-' : `${scalar(path.at(-1))}:`;
  return shown
    ? { text: `${indent}${key} ${scalar(value)}`, from }
    : { text: `${indent}# ${name} ${scalar(value)}`, from };
}

const COMMENT_AT = 44;

function aligned({ text, from }: Line): string {
  return from === '' ? text : `${text.padEnd(COMMENT_AT - 2)}  # ${printable(from.replaceAll(/\s+/g, ' '))}`;
}

/** A value on one line. */
function scalar(value: unknown): string {
  const text = stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
  return text.includes('\n') ? JSON.stringify(value) : text;
}
