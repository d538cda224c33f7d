import { expect, test } from 'vitest';
import { credentialsIn } from '../../../src/config/secrets/hide-address.ts';

test.each([
  'postgres://shop:0f-the-l3dger@db/offerline',
  'postgres://shop:0f-the-l3dger@db1:5432,db2:5433/offerline?target_session_attrs=read-write',
  'postgres://shop@db1:5432,db2/offerline?password=0f-the-l3dger',
])('the password in %s is a credential', (address) => {
  expect(credentialsIn(address)).toContain('0f-the-l3dger');
});
