import { z } from 'zod';
import { names } from '../../config/schema/names.ts';
import { flag, id, openWord } from '../operation/reply-values.ts';
import { atRecordLevel, listed, oneOrFirst, unwrapped } from './shapes.ts';

const words = z.string().nullish();

/** What later calls pass back unchanged: a text always, empty where the reply has none. */
const passedBack = words.transform((text) => text ?? '');

/** A code of a catalog; the document calls it text, some services write digits. */
const code = z.union([z.string(), z.int('expected a text')], { error: 'expected a text' }).transform(String);

/** What is known of a vehicle, unit or part: `name` is there when names were asked for (`localized`). Keys may be added. */
const attribute = z
  .looseObject({
    key: z.string(),
    value: z.union([z.string(), z.number(), z.boolean()], { error: 'expected a text' }).transform(String),
    name: words,
  })
  .meta({ record: 'Attribute' });

export type Attribute = z.output<typeof attribute>;

const attributes = listed(attribute);

/** A vehicle of a catalog. `ssd` and `vehicleId` are passed back unchanged in later calls. */
const vehicle = atRecordLevel(
  z.looseObject({
    catalog: passedBack,
    brand: words,
    name: words,
    vehicleId: code,
    ssd: passedBack,
    attributes,
    sysProperties: names(z.string(), z.unknown()).nullish(),
  }),
).meta({ record: 'CatalogVehicle' });

export type CatalogVehicle = z.output<typeof vehicle>;

/** Where a part or unit points to: another command of the service with its parameters. */
const link = z
  .looseObject({
    catalog: words,
    categoryId: words,
    command: words,
    vehicleId: words,
    label: words,
    ssd: passedBack,
    type: words,
  })
  .meta({ record: 'Link' });

/** A part in a list; `match` says in a quick group with `all` whether it belongs to the group. */
const detail = atRecordLevel(
  z.looseObject({
    name: words,
    codeOnImage: words,
    oem: words,
    ssd: words,
    filter: words,
    match: flag.nullish(),
    attributes,
    links: listed(link),
  }),
).meta({ record: 'CatalogDetail' });

export type CatalogDetail = z.output<typeof detail>;

/** A unit: an illustration with its parts. A `filter` says that it may not apply to the vehicle. */
const unit = atRecordLevel(
  z.looseObject({
    unitId: code,
    name: words,
    code: words,
    ssd: passedBack,
    imageUrl: words,
    largeImageUrl: words,
    filter: words,
    filter_note: words,
    attributes,
    details: listed(detail),
    links: listed(link),
  }),
).meta({ record: 'CatalogUnit' });

export type CatalogUnit = z.output<typeof unit>;

/** `childrens` in some replies is `children`. */
const category = z.preprocess(
  withChildren,
  z
    .looseObject({
      categoryId: code,
      code: words,
      name: words,
      parentCategoryId: words,
      ssd: passedBack,
      children: flag.optional(),
      units: listed(unit),
    })
    .meta({ record: 'CatalogCategory' }),
);

function withChildren(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const { childrens, children, ...rest } = given as Record<string, unknown>;
  const has = children ?? childrens;
  return has === null || has === undefined ? rest : { ...rest, children: has };
}

export type CatalogCategory = z.output<typeof category>;

/** A group of the quick tree; one without `link` has no parts. */
export type QuickGroup = {
  [field: string]: unknown;
  name: string;
  quickGroupId: string;
  synonyms?: string | null | undefined;
  link: boolean;
  children: QuickGroup[];
};

const quickGroup: z.ZodType<QuickGroup> = z
  .looseObject({
    name: z.string(),
    quickGroupId: id,
    synonyms: words,
    link: flag,
    children: listed(z.lazy(() => quickGroup)),
  })
  .meta({ record: 'QuickGroup' });

const feature = z
  .looseObject({
    name: openWord(['vinsearch', 'wizardsearch2', 'quickgroups', 'detailapplicability', 'fulltextsearch']),
    example: words,
  })
  .meta({ record: 'Feature' });

const field = z
  .looseObject({ name: z.string(), pattern: words, description: words, example: words })
  .meta({ record: 'OperationField' });

const customOperation = z
  .looseObject({
    name: z.string(),
    kind: openWord(['search_vehicle']).nullish(),
    description: words,
    fields: listed(field),
  })
  .meta({ record: 'CustomOperation' });

/** What a catalog is and can; features and operations may be added. */
const info = z
  .looseObject({
    name: words,
    code,
    brand: words,
    icon: words,
    features: listed(feature),
    operations: listed(customOperation),
  })
  .meta({ record: 'CatalogInfo' });

export type CatalogInfo = z.output<typeof info>;

export const infoReply = oneOrFirst(info);
export const vehicleReply = oneOrFirst(vehicle);
export const vehiclesReply = unwrapped(z.array(vehicle));
export const unitsReply = unwrapped(z.array(unit));
export const detailsReply = unwrapped(z.array(detail));
export const quickGroupsReply = z.preprocess(
  (reply) => (typeof reply === 'object' && reply !== null && 'quickGroupId' in reply ? [reply] : reply),
  unwrapped(z.array(quickGroup)),
);
export const categoriesReply = unwrapped(z.array(category));
