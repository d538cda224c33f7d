import { expect, test } from 'vitest';
import { feedsOfManager } from '../../src/access/visitor.ts';

const when: ('problem' | 'recovered')[] = ['problem'];
const managers = [
  { email: 'Brakes@example.com', audience: 'managers' as const, feeds: ['north', 'south'], when },
  { email: 'brakes@example.com', audience: 'managers' as const, feeds: ['west'], when },
  { email: 'all@example.com', audience: 'ops' as const, when },
];

test('a manager sees the feeds of every entry with the address, in any case', () => {
  expect(feedsOfManager('brakes@EXAMPLE.com', { managers })).toEqual(['north', 'south', 'west']);
});

test('an entry without feeds is for all, and no address for none', () => {
  expect(feedsOfManager('all@example.com', { managers })).toBeNull();
  expect(feedsOfManager('nobody@example.com', { managers })).toEqual([]);
  expect(feedsOfManager(null, { managers })).toEqual([]);
});
