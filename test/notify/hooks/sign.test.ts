import { expect, test } from 'vitest';
import { secretProblem } from '../../../src/config/secrets/hook-secret.ts';
import { signedHeaders } from '../../../src/notify/hooks/post.ts';
import { HOOK_SECRET, isSigned } from '../../support/hook-receiver.ts';

/** The vector that the libraries of Standard Webhooks are tested with. */
const PUBLISHED = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  message: { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' },
  at: 1_614_265_330_000,
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

test('a message is signed as the published vector says', () => {
  const { message, secret, at, signature } = PUBLISHED;
  expect(signedHeaders(message, [secret], at)).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': signature,
  });
});

test('while secrets are changed a message is signed with both', () => {
  const { message, secret, at } = PUBLISHED;
  const headers = signedHeaders(message, [HOOK_SECRET, secret], at);
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
  expect(isSigned({ headers, body: message.body }, secret)).toBe(true);
  expect(isSigned({ headers, body: message.body }, HOOK_SECRET)).toBe(true);
  expect(isSigned({ headers, body: `${message.body} ` }, HOOK_SECRET)).toBe(false);
});

test.each([
  [PUBLISHED.secret, true],
  [HOOK_SECRET, true],
  [HOOK_SECRET.replace('whsec_', ''), false],
  [`whsec_${Buffer.alloc(23).toString('base64')}`, false],
  [`whsec_${Buffer.alloc(65).toString('base64')}`, false],
  ['whsec_not base64', false],
])('%s is a secret: %s', (secret, isOne) => {
  expect(secretProblem(secret) === null).toBe(isOne);
});
