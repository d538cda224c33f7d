import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { isSecretOf, newSecret, secretHash } from '../src/access/secret.ts';

/* Secrets, and what is kept of them, are compared in a time that tells nothing of them. */

/** Where users, programs and suppliers show secrets, and where messages are signed. */
const files = globSync([
  'src/access/**/*.ts',
  'src/cli/access/*.ts',
  'src/config/secrets/*.ts',
  'src/notify/hooks/*.ts',
  'src/web/actions/access.ts',
  'src/web/auth/*.ts',
  'src/web/http/*.ts',
  'src/web/pages/access/*.ts',
  'src/web/pages/*.ts',
  'src/web/supplier/*.ts',
]);

/** What values are called that are secrets, hashes of them or signatures. */
const SECRET = /secret|hash|password|signature|recovery|nonce|verifier|formKey|refresh|^(?:mac|totp|session|device)$/iu;

type Node = { type: string; [key: string]: unknown };

/** Every part of a program. */
function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (typeof child === 'object' && child !== null && typeof (child as Node).type === 'string')
        yield* nodesOf(child as Node);
  }
}

/** What a value is called: a variable, the last part of `a.b.c`, or the function that gives it. */
function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node['name'] as string;
  if (node.type === 'MemberExpression') return nameOf(node['property'] as Node);
  if (node.type === 'CallExpression') return nameOf(node['callee'] as Node);
  if (['ParenthesizedExpression', 'TSNonNullExpression', 'AwaitExpression'].includes(node.type))
    return nameOf((node['expression'] ?? node['argument']) as Node);
  return '';
}

const isPlain = (node: Node) => node.type === 'Literal' || nameOf(node) === 'undefined';

/** The comparisons of secrets in a program by what ends at the first difference. */
function comparedIn(text: string): string[] {
  const found = [...nodesOf(parseSync('of.ts', text).program as unknown as Node)].filter((node) => {
    if (node.type === 'BinaryExpression' && /^[=!]==?$/u.test(node['operator'] as string)) {
      const sides = [node['left'] as Node, node['right'] as Node];
      return !sides.some(isPlain) && sides.some((side) => SECRET.test(nameOf(side)));
    }
    if (node.type !== 'CallExpression') return false;
    const callee = node['callee'] as Node;
    const given = node['arguments'] as Node[];
    const isSearch = /^(?:includes|indexOf|lastIndexOf|localeCompare|equals|compare)$/u.test(nameOf(callee));
    return callee.type === 'MemberExpression' && isSearch && given.some((one) => SECRET.test(nameOf(one)));
  });
  return found.map((node) => text.slice(node['start'] as number, node['end'] as number));
}

test('no secret and no hash of one is compared by what ends at the first difference', () => {
  expect(files.length).toBeGreaterThan(40);
  const found = files.flatMap((file) => comparedIn(readFileSync(file, 'utf8')).map((text) => `${file}: ${text}`));
  // One person types both at a terminal.
  expect(found).toEqual(['src/cli/access/read-password.ts: password !== again']);
  expect(comparedIn('secretHash(a) !== kept; user.password === typed; known.includes(secret);')).toHaveLength(3);
  expect(comparedIn('secret === undefined; hash !== null; secret.startsWith(PREFIX); hash.length === 2;')).toEqual([]);
});

test('a secret is known by its hash, and nothing else is', () => {
  const secret = newSecret();
  const hash = secretHash(secret);
  expect(isSecretOf(hash, secret)).toBe(true);
  for (const other of ['', hash, `${secret} `, newSecret()]) expect(isSecretOf(hash, other)).toBe(false);
  expect(isSecretOf('', '')).toBe(false);
});
