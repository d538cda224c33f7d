import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { redact } from '../../../src/wording/redact.ts';
import { load, problemsOf } from '../config-file.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const SMALL = 'logins: { main: {} }\nfeeds: {}\n';

/** A file as a container platform hands over a secret. */
function secretFile(text: string): string {
  const file = join(tempFolder(), 'address');
  writeFileSync(file, text);
  return file;
}

test('an address comes from the file that NAME_FILE names, and its password is never shown', async () => {
  const env = {
    REDIS_URL_FILE: secretFile('redis://:1n-a-f1le@redis:6379\n'),
    DATABASE_URL_FILE: secretFile('postgres://shop:0f-the-l3dger@db/offerline'),
    SMTP_URL_FILE: secretFile('smtps://shop:0f-the-m4il@mail.example.com\r\n'),
  };
  expect(await load(SMALL, env)).toMatchObject({
    redisUrl: 'redis://:1n-a-f1le@redis:6379',
    databaseUrl: 'postgres://shop:0f-the-l3dger@db/offerline',
    smtpUrl: 'smtps://shop:0f-the-m4il@mail.example.com',
  });
  expect(redact('1n-a-f1le, 0f-the-l3dger, 0f-the-m4il')).not.toMatch(/1n-a-f1le|0f-the/);
});

test('of an address with several hosts the password is never shown either', async () => {
  const env = {
    REDIS_URL: 'redis+cluster://shop:0f-the,clust3r-8Vw4@a:7001,b:7002,c:7003',
    DATABASE_URL: 'postgres://shop:0f-Tw0-h0sts-9Zk3@db1:5432,db2:5432/offerline',
  };
  await load(SMALL, env);
  expect(redact('0f-the,clust3r-8Vw4; 0f-Tw0-h0sts-9Zk3')).not.toMatch(/0f-|clust3r-8Vw4/);
  await load(SMALL, {
    REDIS_URL: 'redis+sentinel://:0f-A-queu3-7Qx2-w1@a:1,b:2/queue?sentinelPassword=0f-sentine1s-5Rj6',
  });
  expect(redact('0f-A-queu3-7Qx2-w1, 0f-sentine1s-5Rj6')).not.toMatch(/0f-/);
});

test('a prefix of keys is what REDIS_PREFIX says, and nothing that would part or move them', async () => {
  expect(await load(SMALL, {})).toMatchObject({ redisPrefix: 'offerline' });
  expect(await load(SMALL, { REDIS_PREFIX: 'shop-north.1' })).toMatchObject({ redisPrefix: 'shop-north.1' });
  for (const prefix of ['a:b', '{a}', 'a b', '-a', 'ä', 'a'.repeat(65)]) {
    expect(await problemsOf(SMALL, { REDIS_PREFIX: prefix })).toEqual([
      `0:0 REDIS_PREFIX expected at most 64 letters, digits, dots, hyphens and underscores, such as shop-north, found "${prefix}"`,
    ]);
  }
});

test('an empty file, and an empty name of a file, are no address', async () => {
  const env = { SMTP_URL_FILE: secretFile('\n'), REDIS_URL_FILE: '' };
  expect(await load(SMALL, env)).toMatchObject({ smtpUrl: undefined, redisUrl: undefined });
});

test('a file that is not there, that holds more than an address, or that comes beside the variable is a problem', async () => {
  const missing = join(tempFolder(), 'nothing');
  const two = secretFile('redis://a\nredis://b\n');
  const env = {
    DATABASE_URL_FILE: missing,
    REDIS_URL_FILE: two,
    SMTP_URL: 'smtp://a',
    SMTP_URL_FILE: secretFile('smtp://b'),
  };
  expect(await problemsOf(SMALL, env)).toEqual([
    `0:0 REDIS_URL_FILE ${two} has more than one address; write one, on one line`,
    `0:0 DATABASE_URL_FILE ${missing} does not exist; put the address into this file, or leave it empty`,
    '0:0 SMTP_URL_FILE SMTP_URL is set, too; keep one',
  ]);
});
