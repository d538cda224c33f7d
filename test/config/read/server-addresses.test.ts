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
