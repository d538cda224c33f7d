import { expect, test } from 'vitest';
import { handBackTime, secretsIn, variablesOfProgram } from './program-facts.ts';

test.each([
  'DATABASE_URL=postgres://app:h8f3kq@db/offerline',
  'redis_url: rediss://offerline:h8f3kq@db:6379',
  'auth: { type: basic, user: shop, password: h8f3kq }',
  "password: 'h8f3kq'",
  'POSTGRES_PASSWORD=h8f3kq',
  'token: h8f3kq',
  '-----BEGIN PRIVATE KEY-----',
  'AKIAIOSFODNN7EXAMPLE',
])('a credential is found in %s', (text) => expect(secretsIn(text)).toHaveLength(1));

test.each([
  'password: { file: /run/secrets/main_password }',
  "create role offerline_app login password :'app_password';",
  'POSTGRES_PASSWORD_FILE: /run/secrets/postgres_password',
  'image: postgres:17.10-bookworm@sha256:00',
  "token: '${NORTH_TOKEN}'",
  'https://search.example.com',
])('none is found in %s', (text) => expect(secretsIn(text)).toEqual([]));

test('the variables of the program are found, and no other', () => {
  const known = variablesOfProgram();
  const read = ['OFFERLINE_HOME', 'OFFERLINE_CONFIG', 'LOG_LEVEL', 'ARCHIVE_URL_FILE', 'OFFERLINE_WORKER_SERVES'];
  expect(read.filter((name) => !known.has(name))).toEqual([]);
  expect(['OFFERLINE_FOLDER', 'LOG_LEVEL_FILE'].filter((name) => known.has(name))).toEqual([]);
});

test('handing back takes what docs/deployment.md says', () => expect(handBackTime()).toBe(10_000));
