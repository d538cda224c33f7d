import { expect, test } from 'vitest';
import { accountKey } from '../../support/servers/drive.ts';
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

test('what makes a delivery of several files complete is for these, and said once', async () => {
  const folder = (more: string) => feed(`{ type: directory, path: in, ${more} }`);
  const files = (...names: string[]) =>
    `files: { ${names.map((name) => `${name}: { pattern: "${name}*" }`).join(', ')} }`;
  expect(await problemsOf(folder(`take: all, count: 3, completeWithin: 30m, incomplete: take`))).toEqual([]);
  expect(await problemsOf(folder(files('list', 'stock')))).toEqual([]);
  expect(await problemsOf(folder('take: all, manifest: "*.md5"'))).toEqual([]);
  expect(await problemsOf(folder('count: 3, incomplete: take'))).toEqual([
    expect.stringContaining('feeds.north.source.count is for deliveries of several files'),
    expect.stringContaining('feeds.north.source.incomplete is for deliveries of several files'),
  ]);
  expect(await problemsOf(folder(`take: newest, ${files('list', 'stock')}, count: 2`))).toEqual([
    expect.stringContaining('feeds.north.source.take files are all taken'),
    expect.stringContaining('feeds.north.source.count files says how many there are'),
  ]);
  expect(await problemsOf(folder(`take: all, manifest: "*.md5", count: 2`))).toEqual([
    expect.stringContaining('feeds.north.source.manifest a manifest says which files there are'),
  ]);
  const staying = 'files: { list: { pattern: "list*", stays: true }, stock: { pattern: "stock*" } }';
  expect(await problemsOf(folder(staying))).toEqual([]);
  expect(await problemsOf(folder(`${staying}, after: delete`))).toEqual([
    expect.stringContaining('feeds.north.source.files stays needs files that stay at their place; remove after'),
  ]);
  expect(await problemsOf(folder('files: { list: { pattern: "out/list*" } }'))).toEqual([
    expect.stringContaining('feeds.north.source.files names the files of a delivery of several'),
    expect.stringContaining('feeds.north.source.files.list.pattern a pattern is for names inside the folder'),
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

const APP = 'auth: { type: app, tenant: shop.example, clientId: me, clientSecret: q7w8e9r0t1y2u3i4 }';

test.each([
  ['', 'needs a place'],
  ['site: shop.sharepoint.com, user: me@shop.example,', 'names another drive than site'],
  ['drive: b!1, library: Lists,', 'is a library of a site'],
  ['site: "shop?x=1",', 'expected the address of a site'],
  ['drive: b!1, endpoint: "http://graph.example",', 'expected an address with https://'],
  ['drive: b!1, endpoint: "https://me:pw@graph.example",', 'credentials belong into auth'],
])('a folder of Microsoft Graph lies in one drive, and is asked safely: %s', async (place, words) => {
  expect(await problemsOf(feed(`{ type: graph, ${place} path: /, ${APP} }`))).toEqual([expect.stringContaining(words)]);
});

test('a folder of Microsoft Graph names its app, whose secret is never printed', async () => {
  const written = feed(`{ type: graph, site: "https://shop.sharepoint.com/sites/a b", path: Lists, ${APP} }`);
  const { config } = await load(written);
  expect(config.feeds['north']!.source).toMatchObject({ type: 'graph', after: 'keep', settle: 5000 });
  expect(JSON.stringify(config)).not.toContain('q7w8e9r0');
});

test('a source in Google Drive needs the key of a service account', async () => {
  const source = (key: string) =>
    feed(`{ type: drive, folderId: 1AbC, auth: { type: serviceAccount, key: '${key}' } }`);
  expect(await problemsOf(source('{"type":"authorized_user"}'))).toEqual([
    expect.stringContaining('is no key of a service account'),
  ]);
  const { config } = await load(source(accountKey('https://oauth2.googleapis.com/token')));
  expect(config.feeds['north']!.source).toMatchObject({ type: 'drive', sheets: 'xlsx', pattern: '*' });
  expect(JSON.stringify(config)).not.toContain('PRIVATE KEY');
  expect(await problemsOf(source(accountKey('http://elsewhere.example/token')))).toHaveLength(1);
  expect(
    await problemsOf(feed('{ type: drive, folderId: "a folder", auth: { type: serviceAccount, key: x } }')),
  ).toEqual([expect.stringContaining('expected the ID of a folder')]);
});
