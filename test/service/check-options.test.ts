import { expect, test } from 'vitest';
import { createService, type ServiceOptions } from '../../src/service/service.ts';

const baseUrl = 'https://parts.example';

test.each<[string, object, string]>([
  ['a misspelt name', { baseURL: baseUrl }, 'baseURL is not known; did you mean baseUrl?; baseUrl is missing'],
  ['no address', {}, 'baseUrl is missing: the address of the service, such as https://parts.example'],
  ['half an address', { baseUrl: 'parts.example' }, 'baseUrl is no address: write it in full'],
  ['another protocol', { baseUrl: 'ftp://parts.example' }, 'baseUrl has to begin with http:// or https://'],
  ['credentials in an address', { baseUrl: 'https://shop:hush@parts.example' }, 'baseUrl has credentials in it'],
  ['a query', { baseUrl, catalogUrl: `${baseUrl}?x=1` }, 'catalogUrl ends in a query or fragment'],
  ['no time at all', { baseUrl, timeout: 0 }, 'timeout has to be a whole number of milliseconds from 1'],
  ['a deadline that no timer can keep', { baseUrl, deadline: 2 ** 31 }, 'deadline has to be a whole number of milli'],
  ['a form that there is not', { baseUrl, catalogForm: 'soap' }, 'catalogForm has to be one of rest, command'],
  ['another way in', { baseUrl, auth: { type: 'digest' } }, 'auth.type has to be one of none, basic, bearer, header'],
  ['a way in that every object has', { baseUrl, auth: { type: 'constructor' } }, 'auth.type has to be one of none'],
  ['half of the credentials', { baseUrl, auth: { type: 'basic', user: 'a' } }, 'auth.password has to be a text'],
  ['a hook that is none', { baseUrl, onRetry: true }, 'onRetry has to be a function'],
  ['a dispatcher that is none', { baseUrl, dispatcher: {} }, 'dispatcher has to be a Dispatcher of undici'],
  ['a log that cannot warn', { baseUrl, log: { debug: () => {} } }, 'log has to have the functions debug and warn'],
  ['half a retry', { baseUrl, retries: 0.5 }, 'retries has to be a whole number from 0'],
])('%s is refused at once', (_name, options, message) => {
  expect(() => createService(options as ServiceOptions)).toThrow(`createService: ${message}`);
});

test('credentials are not shown', () => {
  expect(() => createService({ baseUrl: 'https://shop:hush-hush@parts.example' })).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('hush-hush') as string }) as Error,
  );
});
