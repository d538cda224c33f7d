import { expect, test } from 'vitest';
import { once } from '../../src/web/http/once.ts';
import type { Answer } from '../../src/web/route.ts';

const DONE: Answer = { text: 'done', type: 'text/plain' };

test('a form is carried out for the second press when the browser has left the first', async () => {
  const leaving = new AbortController();
  const left = Promise.withResolvers<Answer>();
  const first = once('a', 'ops /rehearse', () => left.promise, leaving.signal);
  const second = once('a', 'ops /rehearse', () => Promise.resolve(DONE), new AbortController().signal);
  leaving.abort('gone');
  left.reject(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  expect(await second).toBe(DONE);
});

test('a refusal is told to both who pressed, and the form may be sent again', async () => {
  const { signal } = new AbortController();
  const refused = Promise.withResolvers<Answer>();
  const both = [1, 2].map(() => once('b', 'ops /approve', () => refused.promise, signal));
  refused.reject(new Error('refused'));
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await once('b', 'ops /approve', () => Promise.resolve(DONE), signal)).toBe(DONE);
});
