import { expect, test } from 'vitest';
import { keysOfProfile } from '../../../src/io/s3/keys.ts';

const FILE = [
  '# written by hand',
  '[default]',
  'aws_access_key_id = USUAL',
  'aws_secret_access_key=secret/with=signs  ',
  '[profile shop]\r',
  'AWS_ACCESS_KEY_ID=SHOP\r',
  'aws_secret_access_key = other\r',
  'aws_session_token = session\r',
  '[half]',
  'aws_access_key_id = HALF',
].join('\n');

test('a profile has the keys of its section, however they are spaced', () => {
  expect(keysOfProfile(FILE, 'default')).toEqual({
    accessKeyId: 'USUAL',
    secretAccessKey: 'secret/with=signs',
    sessionToken: null,
  });
  expect(keysOfProfile(FILE, 'shop')).toEqual({
    accessKeyId: 'SHOP',
    secretAccessKey: 'other',
    sessionToken: 'session',
  });
});

test.each(['half', 'none', ''])('a profile %j without both keys has none', (profile) => {
  expect(keysOfProfile(FILE, profile)).toBeUndefined();
});
