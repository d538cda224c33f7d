/** A unit as every catalog has it: one illustration with the kinds of parts that it shows. */
export type UnitPlan = { code: string; category: string; en: string; de: string; ru: string; kinds: string[] };

type Category = { id: string; parent: string; en: string; de: string; ru: string };

/** Id, parent, English, German, Russian. */
export const CATEGORIES: Category[] = rows(`
  10  |    | Engine                     | Motor                       | Двигатель
  11  | 10 | Lubrication                | Schmierung                  | Система смазки
  12  | 10 | Cylinder head and timing   | Zylinderkopf und Steuerung  | Головка блока и ГРМ
  13  | 10 | Crank gear                 | Kurbeltrieb                 | Кривошипно-шатунный механизм
  20  |    | Fuel, air and exhaust      | Kraftstoff, Luft und Abgas  | Топливо, воздух и выпуск
  21  | 20 | Intake and fuel            | Ansaugung und Kraftstoff    | Впуск и топливо
  22  | 20 | Exhaust                    | Abgasanlage                 | Система выпуска
  30  |    | Cooling and heating        | Kühlung und Heizung         | Охлаждение и отопление
  40  |    | Clutch and drive           | Kupplung und Antrieb        | Сцепление и привод
  50  |    | Brakes                     | Bremsen                     | Тормоза
  60  |    | Suspension and steering    | Fahrwerk und Lenkung        | Подвеска и рулевое управление
  61  | 60 | Suspension                 | Radaufhängung               | Подвеска
  62  | 60 | Steering                   | Lenkung                     | Рулевое управление
  70  |    | Electrical system          | Elektrik                    | Электрооборудование
`).map(([id = '', parent = '', en = '', de = '', ru = '']) => ({ id, parent, en, de, ru }));

/** Code, category, English, German, Russian, kinds. */
export const UNITS: UnitPlan[] = rows(`
  1101 | 11 | Oil pump and oil filter | Ölpumpe und Ölfilter | Масляный насос и фильтр | oil-filter oil-filter-housing oil-filter-gasket oil-pump oil-sump sump-gasket drain-plug drain-seal oil-switch oil-cooler flange-bolt
  1201 | 12 | Cylinder head | Zylinderkopf | Головка блока цилиндров | head-gasket valve valve-seal camshaft rocker-cover cover-gasket head-bolts intake-gasket spark-plug flange-bolt
  1202 | 12 | Timing drive | Steuertrieb | Привод ГРМ | timing-belt tensioner idler timing-cover water-pump crank-seal drive-belt flange-bolt
  1301 | 13 | Crankshaft and pistons | Kurbelwelle und Kolben | Коленчатый вал и поршни | piston piston-rings rod-bearing main-bearing crank-seal flywheel engine-mount circlip flange-bolt
  2101 | 21 | Air intake | Luftansaugung | Впуск воздуха | air-filter air-filter-housing intake-hose throttle-body flow-sensor intake-gasket hose-clamp
  2102 | 21 | Fuel supply | Kraftstoffversorgung | Подача топлива | fuel-filter fuel-pump injector fuel-hose tank-cap hose-clamp mounting-kit
  2201 | 22 | Exhaust system | Abgasanlage | Выпускная система | silencer front-pipe catalyst lambda-sensor exhaust-hanger exhaust-clamp exhaust-gasket heat-shield hex-nut
  3001 | 30 | Engine cooling | Motorkühlung | Охлаждение двигателя | radiator thermostat thermostat-gasket coolant-hose expansion-tank tank-lid fan water-pump temp-sensor hose-clamp
  3002 | 30 | Heating and ventilation | Heizung und Lüftung | Отопление и вентиляция | cabin-filter heater-core blower blower-resistor coolant-hose hose-clamp
  4001 | 40 | Clutch and drive shafts | Kupplung und Antriebswellen | Сцепление и приводные валы | clutch-disc pressure-plate release-bearing clutch-cable gearbox-mount drive-shaft cv-joint cv-boot circlip
  5001 | 50 | Front brakes | Vorderradbremsen | Передние тормоза | front-pads front-disc front-caliper brake-hose wear-sensor guide-kit splash-shield flange-bolt
  5002 | 50 | Rear brakes | Hinterradbremsen | Задние тормоза | rear-pads rear-disc rear-caliper brake-hose brake-shoes handbrake-cable guide-kit mounting-kit
  6101 | 61 | Front and rear suspension | Vorder- und Hinterachse | Передняя и задняя подвеска | front-shock rear-shock front-spring rear-spring control-arm ball-joint strut-mount stabiliser-link stabiliser-bush arm-bush front-hub rear-hub bump-stop
  6201 | 62 | Steering gear | Lenkung | Рулевой механизм | steering-rack tie-rod tie-rod-end rack-boot steering-pump steering-hose steering-shaft hex-nut
  7001 | 70 | Starting, charging, ignition | Anlassen, Laden, Zündung | Пуск, зарядка, зажигание | battery alternator starter spark-plug ignition-coil speed-sensor drive-belt mounting-kit
`).map(([code = '', category = '', en = '', de = '', ru = '', kinds = '']) => ({
  code,
  category,
  en,
  de,
  ru,
  kinds: kinds.split(' '),
}));

/** A quick group; one that is no link has children instead of parts. */
export type GroupPlan = {
  id: number;
  parent: string;
  link: boolean;
  en: string;
  de: string;
  ru: string;
  kinds: string;
  synonyms: [en: string, de: string, ru: string];
};

/** Id, parent, English, German, Russian, kinds, synonyms in the three languages. A group without kinds is no link. */
export const QUICK_GROUPS: GroupPlan[] = rows(`
  1     |      | All parts        | Alle Teile         | Все детали            | | | |
  100   | 1    | Engine           | Motor              | Двигатель             | | motor | Triebwerk | мотор, ДВС
  110   | 100  | Filters          | Filter             | Фильтры               | | | |
  111   | 110  | Oil filter       | Ölfilter           | Масляный фильтр       | oil-filter | filter element, oil | Filterpatrone | фильтр масла
  112   | 110  | Air filter       | Luftfilter         | Воздушный фильтр      | air-filter | air cleaner | Luftfiltereinsatz | фильтр воздуха
  113   | 110  | Fuel filter      | Kraftstofffilter   | Топливный фильтр      | fuel-filter | petrol filter | Benzinfilter | фильтр бензиновый
  114   | 110  | Cabin filter     | Innenraumfilter    | Салонный фильтр       | cabin-filter | pollen filter | Pollenfilter | фильтр пыльцевой
  120   | 100  | Gaskets          | Dichtungen         | Прокладки             | | | |
  121   | 120  | Head gasket      | Zylinderkopfdichtung | Прокладка ГБЦ       | head-gasket | | ZKD |
  122   | 120  | Other gaskets    | Andere Dichtungen  | Другие прокладки      | oil-filter-gasket sump-gasket cover-gasket intake-gasket drain-seal valve-seal crank-seal | seals | | сальники
  130   | 100  | Timing           | Steuertrieb        | ГРМ                   | | | |
  131   | 130  | Timing belt and pulleys | Zahnriemen und Rollen | Ремень ГРМ и ролики | timing-belt tensioner idler | cam belt | | ремень газораспределения
  132   | 130  | Water pump       | Wasserpumpe        | Водяной насос         | water-pump | coolant pump | Kühlmittelpumpe | помпа
  200   | 1    | Exhaust          | Abgasanlage        | Выпуск                | | | Auspuff |
  210   | 200  | Silencers and pipes | Schalldämpfer und Rohre | Глушители и трубы | silencer front-pipe | muffler | Auspufftopf | глушак
  220   | 200  | Catalyst and sensors | Katalysator und Sonden | Катализатор и датчики | catalyst lambda-sensor | | | лямбда-зонд
  300   | 1    | Brakes           | Bremsen            | Тормоза               | | | |
  310   | 300  | Front            | Vorne              | Передние              | | | |
  311   | 310  | Brake pads, front | Bremsbeläge, vorne | Тормозные колодки, передние | front-pads wear-sensor | brake lining | Bremsklötze | колодки
  312   | 310  | Brake discs, front | Bremsscheiben, vorne | Тормозные диски, передние | front-disc | rotor | |
  320   | 300  | Rear             | Hinten             | Задние                | | | |
  321   | 320  | Brake pads, rear | Bremsbeläge, hinten | Тормозные колодки, задние | rear-pads | brake lining | Bremsklötze | колодки
  322   | 320  | Brake discs, rear | Bremsscheiben, hinten | Тормозные диски, задние | rear-disc | rotor | |
  323   | 320  | Parking brake    | Feststellbremse    | Стояночный тормоз     | brake-shoes handbrake-cable | handbrake | Handbremse | ручник
  400   | 1    | Suspension       | Fahrwerk           | Подвеска              | | | |
  410   | 400  | Shock absorbers and springs | Stoßdämpfer und Federn | Амортизаторы и пружины | front-shock rear-shock front-spring rear-spring strut-mount bump-stop | dampers | Dämpfer | стойки
  420   | 400  | Arms and joints  | Lenker und Gelenke | Рычаги и шарниры      | control-arm ball-joint arm-bush stabiliser-link stabiliser-bush | wishbone | | сайлентблоки
  430   | 400  | Wheel bearings   | Radlager           | Подшипники ступиц     | front-hub rear-hub | hub | Radnabe | ступица
  500   | 1    | Steering         | Lenkung            | Рулевое управление    | tie-rod tie-rod-end rack-boot steering-rack steering-pump | | |
  600   | 1    | Electrics        | Elektrik           | Электрика             | | | |
  610   | 600  | Ignition         | Zündung            | Зажигание             | spark-plug ignition-coil | | | свечи
  620   | 600  | Starting and charging | Anlassen und Laden | Пуск и зарядка    | battery alternator starter | dynamo | | генератор
  700   | 1    | Cooling          | Kühlung            | Охлаждение            | radiator thermostat fan coolant-hose expansion-tank | | |
`).map(([id = '', parent = '', en = '', de = '', ru = '', kinds = '', ...synonyms]) => ({
  id: Number(id),
  parent,
  link: kinds !== '',
  en,
  de,
  ru,
  kinds,
  synonyms: [synonyms[0] ?? '', synonyms[1] ?? '', synonyms[2] ?? ''],
}));

function rows(text: string): string[][] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
}
