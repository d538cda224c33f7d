import { expect, test } from 'vitest';
import { READING_DEFAULTS } from '../../../src/config/schema/defaults.ts';
import { configSchema } from '../../../src/config/schema/schema.ts';

test('what files are read by without a configuration is what the schema makes of an empty one', () => {
  const { offer, limits } = configSchema.parse({ logins: {}, feeds: {} });
  expect(READING_DEFAULTS).toEqual({ offer, limits, feeds: {} });
});
