import { XMLBuilder } from 'fast-xml-parser';
import type { Asked } from './asked.ts';
import type { Attribute, CatalogInfo, Category, Detail, Link, QuickGroup, Unit, Vehicle } from './model.ts';

/** An element by the names of its attributes (with `@`), of its children, and `#text`. */
export type Element = { [name: string]: string | Element | Element[] };

const builder = new XMLBuilder({
  attributeNamePrefix: '@',
  ignoreAttributes: false,
  suppressBooleanAttributes: false,
  suppressEmptyNode: true,
});

/** A document of one root element. */
export function xmlDocument(root: string, element: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ [root]: element })}`;
}

export function ofInfo(info: CatalogInfo): Element {
  const has = (feature: string) => String(info.features.some(({ name }) => name === feature));
  const example = info.features.find(({ name }) => name === 'vinsearch')?.example;
  return {
    row: {
      ...attributesFrom({ name: info.name, code: info.code, brand: info.brand, icon: info.icon }),
      '@supportvinsearch': has('vinsearch'),
      '@supportparameteridentification2': has('wizardsearch2'),
      '@supportquickgroups': has('quickgroups'),
      '@supportdetailapplicability': has('detailapplicability'),
      ...attributesFrom({ vinexample: example }),
      features: { feature: info.features.map(attributesFrom) },
      extensions: { operations: { operation: info.operations.map(operationOf) } },
    },
  };
}

function operationOf({ fields, ...operation }: CatalogInfo['operations'][number]): Element {
  return { ...attributesFrom(operation), field: fields.map(attributesFrom) };
}

export function ofVehicles(vehicles: Vehicle[], asked: Asked): Element {
  return { row: vehicles.map((vehicle) => vehicleOf(vehicle, asked)) };
}

export function ofVehicle(vehicle: Vehicle, asked: Asked): Element {
  return { row: vehicleOf(vehicle, asked) };
}

function vehicleOf({ attributes, sysProperties, ...vehicle }: Vehicle, { wording }: Asked): Element {
  return {
    ...named(attributes, wording.localized),
    ...attributesFrom(vehicle),
    sysproperty: { '@key': 'filter_level', '#text': sysProperties.filter_level },
  };
}

export function ofUnits(units: Unit[], asked: Asked): Element {
  return { row: units.map((unit) => unitOf(unit, asked)) };
}

function unitOf({ attributes, links, details, ...unit }: Unit, asked: Asked): Element {
  return {
    ...named(attributes, asked.wording.localized),
    ...attributesFrom(unit),
    ...linksOf(links, asked),
    ...(details === undefined ? {} : { Detail: details.map((detail) => detailOf(detail, asked)) }),
  };
}

export function ofDetails(details: Detail[], asked: Asked): Element {
  return { row: details.map((detail) => detailOf(detail, asked)) };
}

function detailOf({ attributes, links, match, ...detail }: Detail, asked: Asked): Element {
  return {
    ...named(attributes, asked.wording.localized),
    ...attributesFrom(detail),
    ...(match === undefined ? {} : { '@match': match ? 't' : 'f' }),
    ...linksOf(links, asked),
  };
}

function linksOf(links: Link[] | undefined, { wording }: Asked): Element {
  if (links === undefined) return {};
  const link = links.map(({ catalog, categoryId, command, vehicleId, label, ssd, type }) => ({
    '@Catalog': catalog,
    '@CategoryId': categoryId,
    '@Command': command,
    '@Locale': wording.locale,
    '@Localized': 'true',
    '@VehicleId': vehicleId,
    ...attributesFrom({ label, ssd, type }),
  }));
  return { links: { link } };
}

export function ofQuickGroup(group: QuickGroup): Element {
  return { row: groupOf(group) };
}

function groupOf({ children, link, quickGroupId, ...group }: QuickGroup): Element {
  const own = attributesFrom({ quickGroupId: String(quickGroupId), ...group, link: String(link) });
  return children.length === 0 ? own : { ...own, row: children.map(groupOf) };
}

export function ofCategories(categories: Category[], asked: Asked): Element {
  return {
    Category: categories.map(({ units, childrens, ...category }) => ({
      ...attributesFrom(category),
      '@childrens': String(childrens),
      Unit: units.map((unit) => unitOf(unit, asked)),
    })),
  };
}

/** Attributes are elements with a name; without localisation their keys and values belong to the record itself. */
function named(attributes: Attribute[], localized: boolean): Element {
  if (localized) return { attribute: attributes.map(attributesFrom) };
  return Object.fromEntries(attributes.map(({ key, value }) => [`@${key}`, value]));
}

/** The fields of a record as attributes: in the command form their names have no capitals. */
function attributesFrom(fields: Record<string, string | undefined>): Element {
  const written = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  return Object.fromEntries(written.map(([name, value]) => [`@${name.toLowerCase()}`, value]));
}
