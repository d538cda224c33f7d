import { expect, test } from 'vitest';
import { configFile, load, problemsOf } from '../config-file.ts';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadConfig } from '../../../src/config/load.ts';

const KEY = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n';

/** A configuration with one feed, whose source is written on one line. */
function feed(source: string): string {
  return `logins: { main: {} }\nfeeds:\n  north:\n    login: main\n    source: ${source}\n`;
}

test('an sftp source needs credentials', async () => {
  expect(await problemsOf(feed('{ type: sftp, host: files.example.com, path: out }'))).toEqual([
    expect.stringContaining('feeds.north.source.auth'),
  ]);
});

test('a fingerprint of the old kind is refused', async () => {
  const source =
    '{ type: sftp, host: a.example.com, auth: { type: basic, user: me, password: x }, path: out, hostKey: "MD5:00:11" }';
  expect(await problemsOf(feed(source))).toEqual([expect.stringContaining('expected the fingerprint of the host key')]);
});

test('a pattern is for names, and a charset one that is known', async () => {
  const source = '{ type: ftp, host: a.example.com, path: /, pattern: "out/*.csv", charset: klingon }';
  expect(await problemsOf(feed(source))).toEqual([
    expect.stringContaining('put the folder into path'),
    expect.stringContaining('unknown charset "klingon"'),
  ]);
});

test('a private key is read from a file with all its lines, and is never printed', async () => {
  const file = configFile(
    feed(
      '{ type: sftp, host: a.example.com, path: out, auth: { type: key, user: me, key: { file: id }, passphrase: "дверь" } }',
    ),
  );
  writeFileSync(join(dirname(file), 'id'), KEY);
  const { config } = await loadConfig({ file, env: {} });
  const source = config.feeds['north']!.source;
  expect(source.type === 'sftp' && source.auth.type === 'key' && source.auth.key.reveal()).toBe(KEY.trimEnd());
  expect(JSON.stringify(config)).not.toContain('AAAA');
});

test('a password over plain FTP is warned about, and so is a host key that is not pinned', async () => {
  const ftp =
    '{ type: ftp, host: a.example.com, auth: { type: basic, user: me, password: x1y2z3w4 }, path: /, security: none }';
  const sftp = '{ type: sftp, host: a.example.com, auth: { type: basic, user: me, password: x1y2z3w4 }, path: / }';
  expect((await load(feed(ftp))).warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('without TLS'),
  ]);
  expect((await load(feed(sftp))).warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('offerline pull north --list'),
  ]);
});

test('keys for S3 come from the environment where none are written', async () => {
  const file = configFile(feed('{ type: s3, bucket: offers }'));
  const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'very-secret', AWS_SESSION_TOKEN: 'session' };
  const { config } = await loadConfig({ file, env });
  const { source } = config.feeds['north']!;
  expect(source).toMatchObject({ auth: { type: 'basic', user: 'id' } });
  expect(JSON.stringify(config)).not.toContain('very-secret');
  const without = (await loadConfig({ file, env: {} })).config.feeds['north']!.source;
  expect(without).toMatchObject({ auth: { type: 'environment' } });
});

test('a mailbox needs to know who checks signatures, and one place for its token', async () => {
  const auth = 'auth: { type: token, user: me }';
  expect(await problemsOf(feed(`{ type: mail, host: a.example.com, ${auth}, from: [a@b.example] }`))).toEqual([
    expect.stringContaining('needs authserv'),
    expect.stringContaining('needs either tokenFile or tokenCommand'),
  ]);
});
