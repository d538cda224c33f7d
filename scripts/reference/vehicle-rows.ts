import { partKey, plateKey } from '../../src/sandbox/reference/keys.ts';
import type { Cell } from './catalogue.ts';
import { CATALOGS, type CatalogPlan, type Vehicle } from './vehicles.ts';
import { ATTRIBUTES, wordsOf, type Words } from './words.ts';

type Rows = Cell[][];

/** A field of an operation: name, pattern, description, example, and the fact of a vehicle that it is compared with. */
type Field = [name: string, pattern: string, description: Words, example: (vehicle: Vehicle) => string, fact: string];

const MODEL: Field = [
  'model',
  String.raw`^[\p{L}\p{N} ./]{2,40}$`,
  ['Model line', 'Modellreihe', 'Модельный ряд'],
  ({ model }) => model.split(' ')[0]!,
  'line',
];
const YEAR: Field = [
  'year',
  String.raw`^(19|20)\d{2}$`,
  ['Model year', 'Modelljahr', 'Модельный год'],
  ({ built }) => built.slice(0, 4),
  'year',
];
const ENGINE: Field = [
  'engine',
  '^([A-Za-z][A-Za-z0-9]{1,7})?$',
  ['Engine code; may be left out', 'Motorkennbuchstaben; freiwillig', 'Код двигателя; необязательно'],
  ({ engine }) => engine,
  'engine',
];
const FRAME: Field = [
  'frame',
  '^[A-Za-z]{2}[0-9]{2}$',
  ['Frame type', 'Rahmentyp', 'Тип кузова'],
  ({ type }) => type,
  'frame',
];
const SERIAL: Field = [
  'serial',
  '^[0-9]{7}$',
  ['Number after the hyphen', 'Nummer nach dem Bindestrich', 'Номер после дефиса'],
  ({ ident }) => ident.split('-')[1] ?? '',
  'serial',
];

type Operation = { name: string; description: Words; fields: Field[] };

const WIZARD: Operation = {
  name: 'wizard',
  description: ['By model, year and engine', 'Nach Modell, Jahr und Motor', 'По модели, году и двигателю'],
  fields: [MODEL, YEAR, ENGINE],
};
const BY_FRAME: Operation = {
  name: 'frame',
  description: ['By frame number', 'Nach Rahmennummer', 'По номеру кузова'],
  fields: [FRAME, SERIAL],
};

function operationsOf({ numbers }: CatalogPlan): Operation[] {
  return numbers === 'japanese' ? [WIZARD, BY_FRAME] : [WIZARD];
}

function featuresOf({ numbers }: CatalogPlan): string[] {
  const common = ['vinsearch', 'wizardsearch2', 'quickgroups'];
  if (numbers === 'russian') return common;
  return [...common, 'detailapplicability', ...(numbers === 'european' ? ['fulltextsearch'] : [])];
}

/** The rows of catalogs and vehicles, by their table. */
export function vehicleRows(vehicles: readonly Vehicle[]): Record<string, Rows> {
  return {
    catalogs: CATALOGS.map((plan) => {
      const { ident } = ownOf(plan, vehicles);
      return [plan.code, plan.brand, ...plan.names, `${plan.brand.toLowerCase()}.png`, plan.region, ident];
    }),
    catalog_features: CATALOGS.flatMap((plan) =>
      featuresOf(plan).map((name, at) => {
        const example = name === 'vinsearch' ? ownOf(plan, vehicles).ident : null;
        return [plan.code, at, name, example];
      }),
    ),
    catalog_operations: CATALOGS.flatMap((plan) =>
      operationsOf(plan).map(({ name, description }, at) => row(plan.code, at, name, 'search_vehicle', ...description)),
    ),
    operation_fields: CATALOGS.flatMap((plan) => operationsOf(plan).flatMap((operation) => fieldRows(plan, operation))),
    attribute_names: Object.entries(ATTRIBUTES).map(([key, names]) => row(key, ...names)),
    vehicles: vehicles.map(vehicleRow),
    plates: vehicles.flatMap(({ id, plate }) => (plate === undefined ? [] : [['ru', plateKey(plate), plate, id]])),
    vehicle_attributes: vehicles.flatMap((vehicle) =>
      attributesOf(vehicle).map(([key, values], at) => row(vehicle.id, at, key, ...values)),
    ),
    vehicle_facts: vehicles.flatMap((vehicle) =>
      factsOf(vehicle).map(([fact, value]) => [vehicle.id, fact, partKey(value)]),
    ),
  };

  function fieldRows(plan: CatalogPlan, { name: operation, fields }: Operation): Rows {
    return fields.map(([name, pattern, description, example, fact], at) => {
      const shown = example(ownOf(plan, vehicles));
      return [plan.code, operation, at, name, pattern, ...description, shown, fact];
    });
  }
}

function row(...cells: Cell[]): Cell[] {
  return cells;
}

/** The vehicle of a catalog that its examples speak of. */
function ownOf(plan: CatalogPlan, vehicles: readonly Vehicle[]): Vehicle {
  return vehicles.find((vehicle) => vehicle.plan === plan)!;
}

function vehicleRow(vehicle: Vehicle): Cell[] {
  const { id, plan, vehicleId, model, ident } = vehicle;
  const kind = plan.numbers === 'japanese' ? 'frame' : 'vin';
  // A shared number does not tell which one it is: only the basic attributes are certain.
  const level = [3, 4, 20].includes(id) ? 'basic' : 'full';
  return [id, plan.code, vehicleId, plan.brand, ...namesOf(plan, model), ident, partKey(ident), kind, level];
}

const RUSSIAN_MODELS: Record<string, string> = { Vesna: 'Весна', Ural: 'Урал', Kombi: 'Комби', Universal: 'Универсал' };

function namesOf({ numbers }: CatalogPlan, model: string): Words {
  const words = model.split(' ').map((word) => (numbers === 'russian' ? (RUSSIAN_MODELS[word] ?? word) : word));
  return [model, model, words.join(' ')];
}

function attributesOf(vehicle: Vehicle): [key: string, values: Words][] {
  const { plan, ident, type } = vehicle;
  const isFrame = plan.numbers === 'japanese';
  const same = (value: string): Words => [value, value, value];
  return [
    ['model', same(vehicle.model)],
    ['grade', same(vehicle.grade)],
    ['date', same(vehicle.built)],
    ['manufactured', same(vehicle.built.slice(0, 4))],
    ['modelyearfrom', same(vehicle.from)],
    ['modelyearto', same(vehicle.to)],
    ['engine', same(vehicle.engine)],
    ['engineno', same(vehicle.engineNo)],
    ['displacement', same(vehicle.displacement)],
    ['power', same(vehicle.power)],
    ['fuel', wordsOf(vehicle.fuel)],
    ['transmission', wordsOf(vehicle.gearbox)],
    ['drive', wordsOf(vehicle.drive)],
    ['bodyStyle', wordsOf(vehicle.body)],
    ['doors', same(vehicle.doors)],
    ['framecolor', wordsOf(vehicle.colour)],
    ['creationregion', wordsOf(plan.region)],
    ['destinationregion', wordsOf(plan.region)],
    ...(isFrame ? [frame('frame', type), frame('framefrom', `${type}-0100001`), frame('frameto', ident)] : []),
    ...vehicle.options.map((option): [string, Words] => ['options', wordsOf(option)]),
  ];
}

function frame(key: string, value: string): [string, Words] {
  return [key, [value, value, value]];
}

function factsOf(vehicle: Vehicle): [fact: string, value: string][] {
  const years = Array.from({ length: Number(vehicle.to) - Number(vehicle.from) + 1 }, (_, at) =>
    String(Number(vehicle.from) + at),
  );
  const [type = '', serial] = vehicle.ident.split('-');
  return [
    ['line', vehicle.model.split(' ')[0]!],
    ['engine', vehicle.engine],
    ...years.map((year): [string, string] => ['year', year]),
    ...(serial === undefined ? [] : [['frame', type] as [string, string], ['serial', serial] as [string, string]]),
  ];
}
