import type {
  CatalogCategory,
  CatalogInfo,
  CatalogUnit,
  CatalogVehicle,
  QuickGroup,
} from '../../service/catalog/schemas.ts';
import type { Operation } from '../../service/operation/operation.ts';
import { printable } from '../../wording/printable.ts';
import type { Branch } from './draw-tree.ts';

/** What of a reply is drawn as a tree, or null for those that are tables. */
export function treeOf({ name, group }: Operation, data: unknown): Branch[] | null {
  if (name === 'getCatalogInfo') return [catalog(data as CatalogInfo)];
  if (name === 'getVehicleInfo') return [vehicle(data as CatalogVehicle)];
  if (group === 'catalog' && /^(find|exec)/.test(name)) return (data as CatalogVehicle[]).map(vehicle);
  if (name === 'listQuickGroup') return (data as QuickGroup[]).map(quickGroup);
  if (name === 'listQuickDetail') return (data as CatalogCategory[]).map(category);
  if (name === 'listUnits') return (data as CatalogUnit[]).map(unit);
  if (['identify', 'identifyBySsd'].includes(name)) return (data as Identified[]).map(identified);
  return null;
}

type Identified = {
  id: string;
  brand?: string | null | undefined;
  name?: string | null | undefined;
  state: string;
  attributes?:
    { code: string; label?: string | null | undefined; values?: string[] | null | undefined }[] | null | undefined;
};

function identified({ id, brand, name, state, attributes }: Identified): Branch {
  const known = (attributes ?? []).map((one) => leaf(`${one.label ?? one.code}: ${(one.values ?? []).join(', ')}`));
  return branch(`${words(brand, name)}  id ${id}, ${state}`, known);
}

function vehicle({ brand, name, catalog, vehicleId, ssd, attributes }: CatalogVehicle): Branch {
  const place = [...said('catalog', catalog), `vehicleId ${vehicleId}`].join(', ');
  return branch(`${words(brand, name)}  ${place}`, [...attributesOf(attributes), ...leaves(said('ssd', ssd))]);
}

function catalog({ code, name, brand, features, operations }: CatalogInfo): Branch {
  const able = features.map((one) => leaf(`${one.name}${one.example ? `  such as ${one.example}` : ''}`));
  const custom = operations.map((one) =>
    branch(
      words(one.name, one.description),
      one.fields.map((field) =>
        leaf(
          `${[field.name, field.pattern, field.description].filter(Boolean).join('  ')}${field.example ? `  such as ${field.example}` : ''}`,
        ),
      ),
    ),
  );
  return branch(`${words(code, name)}  ${brand ?? ''}`.trim(), [
    branch('features', able),
    branch('operations', custom),
  ]);
}

function quickGroup({ name, quickGroupId, link, children }: QuickGroup): Branch {
  return branch(`${name}  ${quickGroupId}${link ? '' : '  (no parts)'}`, children.map(quickGroup));
}

function category({ categoryId, name, code, units }: CatalogCategory): Branch {
  return branch(`${words(code, name)}  categoryId ${categoryId}`, units.map(unit));
}

function unit({ unitId, code, name, ssd, filter, attributes, details }: CatalogUnit): Branch {
  const parts = details.map((part) => {
    const place = part.codeOnImage ? `${part.codeOnImage}  ` : '';
    const mark = part.match === true ? '  (match)' : '';
    return branch(`${place}${words(part.oem, part.name)}${mark}`, attributesOf(part.attributes));
  });
  const known = [...attributesOf(attributes), ...leaves([...said('filter', filter), ...said('ssd', ssd)])];
  return branch(`${words(code, name)}  unitId ${unitId}`, [...known, ...parts]);
}

function attributesOf(attributes: CatalogVehicle['attributes']): Branch[] {
  return attributes.map(({ key, name, value }) => leaf(`${name ?? key}: ${value}`));
}

function said(name: string, value: string | null | undefined): string[] {
  return value ? [`${name} ${value}`] : [];
}

function words(...given: (string | null | undefined)[]): string {
  return given.filter(Boolean).join(' ');
}

function leaves(labels: string[]): Branch[] {
  return labels.map(leaf);
}

function leaf(label: string): Branch {
  return branch(label, []);
}

function branch(label: string, below: Branch[]): Branch {
  return { label: printable(label), below };
}
