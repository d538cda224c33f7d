/** A text in the three languages of the data set. */
export type Words = [en: string, de: string, ru: string];

/** Values of attributes that have words of their own in each language; numbers and codes are the same everywhere. */
const VALUES: Record<string, [de: string, ru: string]> = {
  petrol: ['Benzin', 'бензин'],
  diesel: ['Diesel', 'дизель'],
  manual: ['Schaltgetriebe', 'механическая'],
  automatic: ['Automatik', 'автоматическая'],
  hatchback: ['Schrägheck', 'хэтчбек'],
  estate: ['Kombi', 'универсал'],
  saloon: ['Limousine', 'седан'],
  pickup: ['Pick-up', 'пикап'],
  SUV: ['SUV', 'внедорожник'],
  'front wheel': ['Vorderrad', 'передний'],
  'rear wheel': ['Hinterrad', 'задний'],
  'four wheel': ['Allrad', 'полный'],
  red: ['rot', 'красный'],
  silver: ['silber', 'серебристый'],
  blue: ['blau', 'синий'],
  black: ['schwarz', 'чёрный'],
  white: ['weiß', 'белый'],
  grey: ['grau', 'серый'],
  green: ['grün', 'зелёный'],
  AC: ['Klimaanlage', 'кондиционер'],
  ESP: ['ESP', 'ESP'],
  LED: ['LED-Scheinwerfer', 'светодиодные фары'],
  TOW: ['Anhängerkupplung', 'фаркоп'],
  Europe: ['Europa', 'Европа'],
  Japan: ['Japan', 'Япония'],
  'North America': ['Nordamerika', 'Северная Америка'],
  Russia: ['Russland', 'Россия'],
  left: ['links', 'слева'],
  right: ['rechts', 'справа'],
  steel: ['Stahl', 'сталь'],
  aluminium: ['Aluminium', 'алюминий'],
  rubber: ['Gummi', 'резина'],
  'for vehicles with air conditioning': ['für Fahrzeuge mit Klimaanlage', 'для автомобилей с кондиционером'],
  'replace in pairs': ['paarweise ersetzen', 'менять попарно'],
  'use once only': ['nur einmal verwenden', 'одноразовое применение'],
  'non-standard part': ['Sonderteil', 'нестандартная деталь'],
};

const ENGLISH: Record<string, string> = { AC: 'air conditioning', LED: 'LED headlamps', TOW: 'tow bar' };

/** A value in the three languages. */
export function wordsOf(value: string): Words {
  const [de = value, ru = value] = VALUES[value] ?? [];
  return [ENGLISH[value] ?? value, de, ru];
}

/** The names of the attributes' keys. */
export const ATTRIBUTES: Record<string, Words> = {
  model: ['Model', 'Modell', 'Модель'],
  grade: ['Grade', 'Ausstattung', 'Комплектация'],
  modification: ['Modification', 'Ausführung', 'Модификация'],
  date: ['Production date', 'Produktionsdatum', 'Дата выпуска'],
  manufactured: ['Production year', 'Produktionsjahr', 'Год выпуска'],
  datefrom: ['Produced from', 'Gebaut von', 'Выпуск с'],
  dateto: ['Produced to', 'Gebaut bis', 'Выпуск по'],
  modelyearfrom: ['Model year from', 'Modelljahr von', 'Модельный год с'],
  modelyearto: ['Model year to', 'Modelljahr bis', 'Модельный год по'],
  engine: ['Engine', 'Motor', 'Двигатель'],
  engineno: ['Engine number', 'Motornummer', 'Номер двигателя'],
  displacement: ['Displacement, cm³', 'Hubraum, cm³', 'Объём двигателя, см³'],
  power: ['Power, kW', 'Leistung, kW', 'Мощность, кВт'],
  fuel: ['Fuel', 'Kraftstoff', 'Топливо'],
  transmission: ['Transmission', 'Getriebe', 'Коробка передач'],
  drive: ['Drive', 'Antrieb', 'Привод'],
  bodyStyle: ['Body style', 'Karosserie', 'Тип кузова'],
  doors: ['Doors', 'Türen', 'Количество дверей'],
  framecolor: ['Body colour', 'Wagenfarbe', 'Цвет кузова'],
  trimcolor: ['Trim colour', 'Innenfarbe', 'Цвет салона'],
  creationregion: ['Built in', 'Gebaut in', 'Регион производства'],
  destinationregion: ['Built for', 'Gebaut für', 'Регион назначения'],
  frame: ['Frame', 'Rahmen', 'Кузов'],
  framefrom: ['Frame from', 'Rahmen von', 'Кузов с'],
  frameto: ['Frame to', 'Rahmen bis', 'Кузов по'],
  options: ['Options', 'Sonderausstattung', 'Опции'],
  amount: ['Amount', 'Menge', 'Количество'],
  note: ['Note', 'Hinweis', 'Примечание'],
  flag: ['Flag', 'Merkmal', 'Признак'],
  material: ['Material', 'Material', 'Материал'],
  size: ['Size', 'Größe', 'Размер'],
  prodstart: ['Production start', 'Produktion ab', 'Начало производства'],
  prodend: ['Production end', 'Produktion bis', 'Конец производства'],
  designation: ['Designation', 'Bezeichnung', 'Обозначение'],
  applicablemodels: ['Applicable models', 'Passende Modelle', 'Применимость'],
  filter: ['Condition', 'Bedingung', 'Условие'],
};
