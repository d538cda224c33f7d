import { expect, test } from 'vitest';
import { remembered } from '../src/remembered.ts';

test('an answer is made once, and again after thousands of others', () => {
  const made: string[] = [];
  const answer = remembered((text) => {
    made.push(text);
    return { text };
  });
  expect(answer('a')).toBe(answer('a'));
  for (let other = 0; other < 4000; other += 1) answer(String(other));
  expect(answer('a')).toEqual({ text: 'a' });
  expect(made.filter((text) => text === 'a')).toHaveLength(2);
});
