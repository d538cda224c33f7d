/** A named value of a vehicle, a unit or a detail; without `name` when the reply is not localised. */
export type Attribute = { key: string; value: string; name?: string };

export type Vehicle = {
  catalog?: string;
  brand: string;
  name: string;
  vehicleId: string;
  ssd: string;
  attributes: Attribute[];
  sysProperties: { filter_level: string };
};

export type CatalogInfo = {
  name: string;
  code: string;
  brand: string;
  icon: string;
  features: { name: string; example?: string }[];
  operations: { name: string; kind: string; description: string; fields: Field[] }[];
};

/** A field of a search operation; `pattern` is a regular expression for the whole value. */
export type Field = { name: string; pattern: string; description: string; example?: string };

export type Link = {
  catalog: string;
  categoryId: string;
  command: string;
  vehicleId: string;
  label: string;
  ssd: string;
  type: string;
};

export type Detail = {
  name: string;
  codeOnImage: string;
  oem: string;
  ssd: string;
  filter?: string;
  attributes: Attribute[];
  match?: boolean;
  links?: Link[];
};

export type Unit = {
  unitId: string;
  name: string;
  code: string;
  ssd: string;
  imageUrl: string;
  largeImageUrl: string;
  filter?: string;
  filter_note?: string;
  attributes: Attribute[];
  links?: Link[];
  details?: Detail[];
};

export type Category = {
  categoryId: string;
  code: string;
  name: string;
  parentCategoryId?: string;
  ssd: string;
  childrens: boolean;
  units: Unit[];
};

export type QuickGroup = {
  name: string;
  quickGroupId: number;
  synonyms: string;
  link: boolean;
  children: QuickGroup[];
};
