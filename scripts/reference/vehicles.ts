import { americanVin, yearLetter } from './vin.ts';

export type CatalogPlan = {
  code: string;
  brand: string;
  names: [en: string, de: string, ru: string];
  region: string;
  /** What the standard of its vehicles' numbers is. */
  numbers: 'european' | 'japanese' | 'american' | 'russian';
};

export const CATALOGS: CatalogPlan[] = [
  {
    code: 'NRD2611',
    brand: 'NORDMARK',
    names: ['Nordmark Europe', 'Nordmark Europa', 'Нордмарк Европа'],
    region: 'Europe',
    numbers: 'european',
  },
  {
    code: 'HKM2608',
    brand: 'HIKAMI',
    names: ['Hikami Japan', 'Hikami Japan', 'Хиками Япония'],
    region: 'Japan',
    numbers: 'japanese',
  },
  {
    code: 'CLD2609',
    brand: 'CALDERA',
    names: ['Caldera North America', 'Caldera Nordamerika', 'Кальдера Северная Америка'],
    region: 'North America',
    numbers: 'american',
  },
  {
    code: 'VLG2610',
    brand: 'VOLGARD',
    names: ['Volgard Russia', 'Volgard Russland', 'Волгард Россия'],
    region: 'Russia',
    numbers: 'russian',
  },
];

/** Catalog, id there, model, grade, engine, displacement, power, fuel, gearbox, body, doors, drive, month built, years from and to, colour, options, type code. */
const VEHICLES = `
  NRD2611 | 10101 | Fjell 1.6       | Basis   | N16A | 1598 | 85  | petrol | manual    | hatchback | 5 | front wheel | 2012-03 | 2010 | 2014 | red    | AC          | F1A
  NRD2611 | 10102 | Fjell 2.0 D     | Komfort | N20D | 1968 | 110 | diesel | manual    | hatchback | 5 | front wheel | 2013-09 | 2011 | 2016 | silver | AC ESP      | F1D
  NRD2611 | 10103 | Fjell Kombi 2.0 | Komfort | N20A | 1984 | 103 | petrol | automatic | estate    | 5 | front wheel | 2015-05 | 2013 | 2017 | blue   | AC ESP LED  | F2C
  NRD2611 | 10104 | Fjell Kombi 2.0 4M | Komfort | N20A | 1984 | 103 | petrol | automatic | estate | 5 | four wheel  | 2015-05 | 2013 | 2017 | blue   | AC ESP LED  | F2C
  NRD2611 | 10105 | Havn 2.0 D      | Sport   | N20D | 1968 | 135 | diesel | automatic | SUV       | 5 | four wheel  | 2018-11 | 2016 | 2021 | black  | AC ESP LED TOW | H1D
  HKM2608 | 20101 | Sora 1300       | G       | HK13 | 1298 | 64  | petrol | manual    | hatchback | 3 | front wheel | 2004-06 | 2002 | 2008 | white  | AC          | HA10
  HKM2608 | 20102 | Sora 1500       | X       | HK15 | 1496 | 80  | petrol | automatic | hatchback | 5 | front wheel | 2006-02 | 2004 | 2009 | silver | AC          | HA12
  HKM2608 | 20103 | Sora 1500 4WD   | X       | HK15 | 1496 | 80  | petrol | automatic | hatchback | 5 | four wheel  | 2007-10 | 2004 | 2009 | grey   | AC          | HA13
  HKM2608 | 20104 | Kaze 2000       | GT      | HK20 | 1998 | 110 | petrol | manual    | saloon    | 4 | rear wheel  | 2001-04 | 1998 | 2003 | black  | AC ESP      | KZ20
  HKM2608 | 20105 | Kaze Wagon 2000 | GT      | HK20 | 1998 | 110 | petrol | automatic | estate    | 5 | rear wheel  | 2002-08 | 1998 | 2003 | green  | AC ESP      | KZ22
  CLD2609 | 30101 | Mesa 2.5        | LX      | C25  | 2488 | 127 | petrol | automatic | saloon    | 4 | front wheel | 2014-01 | 2013 | 2018 | white  | AC ESP      | M25
  CLD2609 | 30102 | Mesa 3.5        | EX      | C35  | 3496 | 201 | petrol | automatic | saloon    | 4 | front wheel | 2016-07 | 2013 | 2018 | red    | AC ESP LED  | M35
  CLD2609 | 30103 | Ridge 3.5       | XL      | C35  | 3496 | 216 | petrol | automatic | pickup    | 4 | rear wheel  | 2017-03 | 2015 | 2022 | grey   | AC ESP TOW  | R35
  CLD2609 | 30104 | Ridge 3.5 4x4   | XL      | C35  | 3496 | 216 | petrol | automatic | pickup    | 4 | four wheel  | 2019-09 | 2015 | 2022 | black  | AC ESP TOW LED | R36
  CLD2609 | 30105 | Ridge 5.0 4x4   | XL      | C50  | 4951 | 290 | petrol | automatic | pickup    | 4 | four wheel  | 2021-02 | 2015 | 2022 | blue   | AC ESP TOW LED | R50
  VLG2610 | 40101 | Vesna 1.6       | Norma   | V16  | 1596 | 64  | petrol | manual    | saloon    | 4 | front wheel | 2011-10 | 2007 | 2014 | silver |             | 2311
  VLG2610 | 40102 | Vesna 1.6 Universal | Norma | V16 | 1596 | 64 | petrol | manual    | estate    | 5 | front wheel | 2012-06 | 2008 | 2014 | green  |             | 2312
  VLG2610 | 40103 | Vesna 1.6 16V   | Lyux    | V16M | 1597 | 78  | petrol | manual    | saloon    | 4 | front wheel | 2013-08 | 2010 | 2015 | white  | AC          | 2315
  VLG2610 | 40104 | Ural 1.7 4x4    | Norma   | V17  | 1690 | 61  | petrol | manual    | SUV       | 3 | four wheel  | 2016-04 | 2009 | 2020 | green  | TOW         | 2421
  VLG2610 | 40105 | Kombi 2.0       | Lyux    | N20A | 1984 | 103 | petrol | automatic | estate    | 5 | front wheel | 2015-05 | 2014 | 2017 | blue   | AC ESP      | 2530
`;

/** Plates of the Russian Federation, by the vehicle's place in the list. */
const PLATES: Record<number, string> = {
  3: 'А123ВС77',
  5: 'К555ОР78',
  7: 'М007МТ125',
  16: 'Е771КХ163',
  17: 'Н204УС63',
  18: 'О318ТР777',
  19: 'У640АЕ174',
  20: 'Х902СВ116',
};

/** 10104 and the Volgard that is built from Nordmark's parts share their number with 10103. */
const SHARE_NUMBER: Record<number, number> = { 4: 3, 20: 3 };

export type Vehicle = ReturnType<typeof vehicles>[number];

/** The vehicles, with a number of their own or a shared one, and the words of their attributes in English. */
export function vehicles() {
  const listed = VEHICLES.trim()
    .split('\n')
    .map((line, at) => readVehicle(line, at + 1));
  return listed.map((vehicle) => Object.assign(vehicle, { ident: identOf(vehicle, listed) }));
}

function readVehicle(line: string, id: number) {
  const cells = line.split('|').map((cell) => cell.trim());
  const [catalog = '', vehicleId = '', model = '', grade = '', engine = '', displacement = '', power = ''] = cells;
  const [fuel = '', gearbox = '', body = '', doors = '', drive = '', built = '', from = '', to = ''] = cells.slice(7);
  const [colour = '', options = '', type = ''] = cells.slice(15);
  const spoken = { model, grade, engine, displacement, power, fuel, gearbox, body, doors, drive, built, from, to };
  return {
    id,
    plan: CATALOGS.find(({ code }) => code === catalog)!,
    vehicleId,
    ...spoken,
    colour,
    options: options.split(' ').filter((option) => option !== ''),
    type,
    plate: PLATES[id],
    engineNo: `${engine}${100_000 + id * 7919}`,
  };
}

type Listed = ReturnType<typeof readVehicle>;

/** A vehicle's number: a frame number in Japan, else a VIN; only the North American one has a check digit. */
function identOf({ id }: Listed, listed: Listed[]): string {
  const owner = SHARE_NUMBER[id] ?? id;
  const { type, built, plan } = listed[owner - 1]!;
  const serial = String(100_000 + owner * 4813);
  const year = yearLetter(Number(built.slice(0, 4)));
  switch (plan.numbers) {
    case 'japanese':
      return `${type}-0${serial}`;
    case 'american':
      return americanVin(`1Z9${type}CA`, `${year}C${serial}`);
    case 'russian':
      return `X99${type}00${year}${serial.padStart(7, '0')}`;
    case 'european':
      return `YX9ZZZ${type}${year}N${serial}`;
  }
}
