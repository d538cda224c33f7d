import type { Entry } from './entry.ts';

const FACTS = /^((?:[\w.-]+=[^;]*;)+|(?:[\w.-]+=[^;]*;)*[\w.-]+=[^; ]*) (.+)$/u;

/**
 * Reads a line of MLSD (RFC 3659): facts in any case, then one blank and the name. Without a type it is taken for a file whose size
 * is not told, so that the server is asked for it: folders have none. Null for a line of another kind. Pure.
 */
export function readFacts(line: string): Entry | 'nothing' | null {
  const found = FACTS.exec(line);
  if (found === null) return null;
  const facts = new Map<string, string>();
  for (const fact of found[1]!.split(';')) {
    const at = fact.indexOf('=');
    if (at > 0) facts.set(fact.slice(0, at).toLowerCase(), fact.slice(at + 1));
  }
  // A name may have an equals sign as well.
  if (!found[1]!.endsWith(';') && !KNOWN.some((fact) => facts.has(fact))) return null;
  const name = found[2]!;
  const kind = kindOf(facts);
  if (kind === 'nothing' || name === '.' || name === '..') return 'nothing';
  const size = isTyped(facts) ? (facts.get('size') ?? '') : '';
  const modifiedAt = timeOf(facts.get('modify'));
  return { name, kind, size: /^\d{1,15}$/u.test(size) ? Number(size) : null, modifiedAt, shownAt: modifiedAt };
}

function isTyped(facts: Map<string, string>): boolean {
  return (facts.get('type') ?? '') !== '';
}

function kindOf(facts: Map<string, string>): Entry['kind'] | 'nothing' {
  if (!isTyped(facts)) return facts.has('sizd') ? 'folder' : 'file';
  const type = facts.get('type')!.toLowerCase();
  if (type === 'cdir' || type === 'pdir') return 'nothing';
  if (type === 'file') return 'file';
  if (type === 'dir') return 'folder';
  return /s(?:ym)?link/u.test(type) ? 'link' : 'other';
}

const KNOWN = ['type', 'size', 'sizd', 'modify', 'create', 'perm', 'unique', 'unix.mode'];

/** `20261120103000.250`, always in UTC. */
function timeOf(text = ''): number | null {
  const found = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?$/u.exec(text);
  if (found === null) return null;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [number, ...number[]];
  const moment = new Date(Date.UTC(year, month! - 1, day, hour, minute, second));
  const exists = moment.getUTCMonth() === month! - 1 && moment.getUTCDate() === day;
  return exists ? moment.getTime() + Math.round(Number(found[7] ?? 0) * 1000) : null;
}

/** Reads a line of EPLF: `+i8388621.29609,m824255902,r,s10376,` and after a tab the name; null for another kind. Pure. */
export function readEplf(line: string): Entry | null {
  const found = /^\+([^\t]*)\t(.+)$/u.exec(line);
  if (found === null) return null;
  const facts = found[1]!.split(',');
  const number = (letter: string) => {
    const text = facts.find((fact) => fact.startsWith(letter))?.slice(1) ?? '';
    return /^\d{1,15}$/u.test(text) ? Number(text) : null;
  };
  const kind = facts.includes('/') ? 'folder' : facts.includes('r') ? 'file' : 'other';
  const seconds = number('m');
  const modifiedAt = seconds === null ? null : seconds * 1000;
  return { name: found[2]!, kind, size: number('s'), modifiedAt, shownAt: modifiedAt };
}
