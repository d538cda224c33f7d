import { expect, expectTypeOf, test } from 'vitest';
import type { AutoInfo, AutoInfoState, CatalogInfo, OfferState } from '../../../src/service/service.ts';
import { scripted } from '../scripted.ts';

/** The words of a type that accepts any: what an editor offers. Never, where the type is just a text. */
type Known<T> = T extends string ? (string extends T ? never : T) : never;

test('the types of states name those that are known and accept any other', () => {
  expectTypeOf<Known<OfferState>>().toEqualTypeOf<
    'created' | 'queued' | 'processing' | 'failed' | 'success' | 'aborted'
  >();
  expectTypeOf<Known<AutoInfoState>>().toEqualTypeOf<'created' | 'queued' | 'success'>();
  expectTypeOf<Known<AutoInfo['processingStage']>>().toEqualTypeOf<'identified' | 'indexed'>();
  expectTypeOf<Known<CatalogInfo['features'][number]['name']>>().toExtend<string>();
  expectTypeOf<string>().toExtend<OfferState>();
  expectTypeOf<OfferState>().toExtend<string>();
  expectTypeOf<number>().not.toExtend<OfferState>();
});

test('a state that nobody knows is read as it came', async () => {
  const times = { createdTime: 1, lastModifiedTime: 2 };
  const { service } = await scripted({
    id: 5,
    state: 'warming-up',
    linesProcessed: 0,
    errorFileExists: false,
    ...times,
  });
  const { state } = await service.offers.get({ offerId: 5 });
  expect(state).toBe('warming-up');
  expectTypeOf(state).toEqualTypeOf<OfferState>();
});
