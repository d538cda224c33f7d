import { expect, test } from 'vitest';
import { isLoopback } from '../../src/config/loopback.ts';

test.each(['localhost', 'LOCALHOST', 'shop.localhost', 'localhost.', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])(
  '%s never leaves the machine',
  (host) => expect(isLoopback(host)).toBe(true),
);

test.each(['example.com', 'localhost.example.com', 'notlocalhost', '0.0.0.0', '10.0.0.1', '::', '[fe80::1]', ''])(
  '%j may leave it',
  (host) => expect(isLoopback(host)).toBe(false),
);
