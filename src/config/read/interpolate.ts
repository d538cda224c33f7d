import { type Node, visit } from 'yaml';
import { own } from '../../io/dictionary.ts';
import { type ConfigDocument, pathOf } from './document.ts';
import type { Finding } from './problem.ts';

const REFERENCE = /\$\$\{|\$\{([^}]*)\}|\$\{/gu;
const NAME = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/su;

export type Interpolation = {
  findings: Finding[];
  /** The text as written of every value that took something from the environment; shown instead of the value. */
  written: Map<Node, string>;
  /** The environment variable that left a value empty. */
  empty: Map<Node, string>;
};

/**
 * Puts environment variables into the text values of a document: `${NAME}`, `${NAME:-default}` (the default also serves
 * for an empty variable), `$${` for a plain `${`. What is put in stays text: it is never read as YAML.
 */
export function interpolate(document: ConfigDocument, env: NodeJS.ProcessEnv): Interpolation {
  const result: Interpolation = { findings: [], written: new Map(), empty: new Map() };
  visit(document.tree, {
    Scalar(key, node, ancestors) {
      if (key === 'key' || typeof node.value !== 'string' || !node.value.includes('${')) return;
      const { text, mistakes, unset, empty } = substitute(node.value, env);
      const path = pathOf([...ancestors, node]);
      result.findings.push(
        ...mistakes.map((message) => ({ path, message })),
        ...unset.map((message) => ({ path, message, missing: true as const })),
      );
      result.written.set(node, node.value);
      if (text === '' && empty !== undefined) result.empty.set(node, empty);
      node.value = text;
    },
  });
  return result;
}

function substitute(
  template: string,
  env: NodeJS.ProcessEnv,
): { text: string; mistakes: string[]; unset: string[]; empty: string | undefined } {
  const mistakes: string[] = [];
  const unset: string[] = [];
  let empty: string | undefined;
  const text = template.replaceAll(REFERENCE, (match: string, inner: string | undefined) => {
    if (match === '$${') return '${';
    const [, name, fallback] = NAME.exec(inner ?? '') ?? [];
    if (name === undefined) {
      mistakes.push(
        `"${match}" does not name an environment variable; write \${NAME}, or $\${ for the characters themselves`,
      );
      return match;
    }
    const value = own(env, name);
    if (fallback !== undefined) return value === undefined || value === '' ? fallback : value;
    if (value === undefined) {
      unset.push(`the environment variable ${name} is not set; set it, or write \${${name}:-default}`);
    }
    if (value === '') empty ??= name;
    return value ?? match;
  });
  return { text, mistakes, unset, empty };
}
