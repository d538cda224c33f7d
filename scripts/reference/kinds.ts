/** What a part is: its name in three languages, its family, how much it is asked for (1 the most), and whether it has sides. */
export type Kind = {
  code: string;
  en: string;
  de: string;
  ru: string;
  family: Family;
  demand: number;
  sided: boolean;
};

export type Family =
  | 'filter'
  | 'seal'
  | 'engine'
  | 'cooling'
  | 'exhaust'
  | 'clutch'
  | 'brake'
  | 'chassis'
  | 'steering'
  | 'electric'
  | 'fastener';

/** One family's kinds: code, English, German, Russian, demand; a star after the demand: left and right differ. */
function family(name: Family, lines: string): Kind[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [code = '', en = '', de = '', ru = '', demand = ''] = line.split('|').map((cell) => cell.trim());
      return { code, en, de, ru, family: name, demand: Number(demand[0]), sided: demand.endsWith('*') };
    });
}

const KINDS: Kind[] = [
  ...family(
    'filter',
    `
    oil-filter           | Oil filter               | Ölfilter                 | Фильтр масляный               | 1
    air-filter           | Air filter               | Luftfilter               | Фильтр воздушный              | 1
    fuel-filter          | Fuel filter              | Kraftstofffilter         | Фильтр топливный              | 1
    cabin-filter         | Cabin air filter         | Innenraumfilter          | Фильтр салона                 | 1`,
  ),
  ...family(
    'seal',
    `
    oil-filter-gasket    | Oil filter housing gasket | Dichtung Ölfiltergehäuse | Прокладка корпуса масляного фильтра | 3
    sump-gasket          | Oil sump gasket          | Ölwannendichtung         | Прокладка масляного поддона   | 2
    drain-seal           | Drain plug seal ring     | Dichtring Ablassschraube | Кольцо уплотнительное сливной пробки | 1
    head-gasket          | Cylinder head gasket     | Zylinderkopfdichtung     | Прокладка головки блока цилиндров | 2
    cover-gasket         | Rocker cover gasket      | Ventildeckeldichtung     | Прокладка клапанной крышки    | 2
    valve-seal           | Valve stem seal          | Ventilschaftdichtung     | Сальник клапана               | 3
    crank-seal           | Crankshaft seal          | Kurbelwellendichtring    | Сальник коленчатого вала      | 2
    intake-gasket        | Intake manifold gasket   | Dichtung Ansaugkrümmer   | Прокладка впускного коллектора | 3
    exhaust-gasket       | Exhaust pipe gasket      | Abgasrohrdichtung        | Прокладка выхлопной трубы     | 3
    thermostat-gasket    | Thermostat gasket        | Thermostatdichtung       | Прокладка термостата          | 3`,
  ),
  ...family(
    'engine',
    `
    oil-filter-housing   | Oil filter housing       | Ölfiltergehäuse          | Корпус масляного фильтра      | 3
    oil-pump             | Oil pump                 | Ölpumpe                  | Насос масляный                | 3
    oil-sump             | Oil sump                 | Ölwanne                  | Поддон масляный               | 3
    valve                | Inlet valve              | Einlassventil            | Клапан впускной               | 3
    camshaft             | Camshaft                 | Nockenwelle              | Вал распределительный         | 4
    rocker-cover         | Rocker cover             | Ventildeckel             | Крышка клапанная              | 4
    timing-belt          | Timing belt              | Zahnriemen               | Ремень ГРМ                    | 1
    tensioner            | Timing belt tensioner    | Spannrolle Zahnriemen    | Ролик натяжной ремня ГРМ      | 1
    idler                | Guide pulley             | Umlenkrolle              | Ролик обводной                | 2
    timing-cover         | Timing belt cover        | Zahnriemenabdeckung      | Кожух ремня ГРМ               | 4
    piston               | Piston                   | Kolben                   | Поршень                       | 4
    piston-rings         | Piston ring kit          | Kolbenringsatz           | Кольца поршневые, комплект    | 3
    rod-bearing          | Connecting rod bearing   | Pleuellager              | Вкладыш шатунный              | 3
    main-bearing         | Crankshaft main bearing  | Kurbelwellenlager        | Вкладыш коренной              | 3
    flywheel             | Flywheel                 | Schwungrad               | Маховик                       | 4
    engine-mount         | Engine mount             | Motorlager               | Опора двигателя               | 2*
    air-filter-housing   | Air filter housing       | Luftfiltergehäuse        | Корпус воздушного фильтра     | 4
    intake-hose          | Air intake hose          | Ansaugschlauch           | Патрубок воздушного фильтра   | 3
    throttle-body        | Throttle body            | Drosselklappe            | Заслонка дроссельная          | 3
    fuel-pump            | Fuel pump                | Kraftstoffpumpe          | Насос топливный               | 2
    injector             | Injector                 | Einspritzventil          | Форсунка топливная            | 3
    fuel-hose            | Fuel hose                | Kraftstoffleitung        | Шланг топливный               | 3
    tank-cap             | Fuel tank cap            | Tankdeckel               | Крышка топливного бака        | 3
    drive-belt           | V-ribbed belt            | Keilrippenriemen         | Ремень поликлиновой           | 1`,
  ),
  ...family(
    'cooling',
    `
    oil-cooler           | Oil cooler               | Ölkühler                 | Радиатор масляный             | 4
    water-pump           | Water pump               | Wasserpumpe              | Насос водяной                 | 2
    radiator             | Engine radiator          | Kühler Motorkühlung      | Радиатор охлаждения двигателя | 2
    thermostat           | Thermostat               | Thermostat               | Термостат                     | 1
    coolant-hose         | Radiator hose            | Kühlerschlauch           | Патрубок радиатора            | 2
    expansion-tank       | Coolant expansion tank   | Ausgleichsbehälter       | Бачок расширительный          | 3
    tank-lid             | Expansion tank lid       | Verschluss Ausgleichsbehälter | Крышка расширительного бачка | 2
    fan                  | Radiator fan             | Kühlerlüfter             | Вентилятор радиатора          | 3
    heater-core          | Heater core              | Wärmetauscher Heizung    | Радиатор отопителя            | 3
    blower               | Interior blower          | Innenraumgebläse         | Вентилятор отопителя          | 3`,
  ),
  ...family(
    'exhaust',
    `
    silencer             | Rear silencer            | Endschalldämpfer         | Глушитель задний              | 2
    front-pipe           | Exhaust front pipe       | Abgasrohr vorn           | Труба приёмная                | 3
    catalyst             | Catalytic converter      | Katalysator              | Катализатор                   | 4
    exhaust-hanger       | Exhaust hanger           | Gummilager Abgasanlage   | Подвес глушителя              | 2
    exhaust-clamp        | Exhaust clamp            | Schelle Abgasanlage      | Хомут глушителя               | 3
    heat-shield          | Exhaust heat shield      | Hitzeschild Abgasanlage  | Экран глушителя тепловой      | 4`,
  ),
  ...family(
    'clutch',
    `
    clutch-disc          | Clutch disc              | Kupplungsscheibe         | Диск сцепления                | 2
    pressure-plate       | Clutch pressure plate    | Kupplungsdruckplatte     | Корзина сцепления             | 2
    release-bearing      | Clutch release bearing   | Ausrücklager             | Подшипник выжимной            | 2
    clutch-cable         | Clutch cable             | Kupplungsseil            | Трос сцепления                | 3
    gearbox-mount        | Gearbox mount            | Getriebelager            | Опора коробки передач         | 3
    drive-shaft          | Drive shaft              | Antriebswelle            | Вал приводной                 | 3*
    cv-joint             | CV joint                 | Gleichlaufgelenk         | ШРУС наружный                 | 2
    cv-boot              | CV joint boot            | Achsmanschette           | Пыльник ШРУСа                 | 1`,
  ),
  ...family(
    'brake',
    `
    front-pads           | Brake pad set, front     | Bremsbelagsatz, vorne    | Колодки тормозные передние    | 1
    rear-pads            | Brake pad set, rear      | Bremsbelagsatz, hinten   | Колодки тормозные задние      | 1
    front-disc           | Brake disc, front        | Bremsscheibe, vorne      | Диск тормозной передний       | 1
    rear-disc            | Brake disc, rear         | Bremsscheibe, hinten     | Диск тормозной задний         | 1
    front-caliper        | Brake caliper, front     | Bremssattel, vorne       | Суппорт тормозной передний    | 3*
    rear-caliper         | Brake caliper, rear      | Bremssattel, hinten      | Суппорт тормозной задний      | 3*
    brake-hose           | Brake hose               | Bremsschlauch            | Шланг тормозной               | 2*
    wear-sensor          | Brake pad wear sensor    | Verschleißsensor Bremsbelag | Датчик износа колодок      | 2
    guide-kit            | Caliper guide pin kit    | Führungshülsensatz Bremssattel | Направляющие суппорта, комплект | 2
    splash-shield        | Brake splash shield      | Spritzblech Bremsscheibe | Щиток тормозного диска        | 4*
    brake-shoes          | Parking brake shoe set   | Bremsbackensatz Feststellbremse | Колодки ручного тормоза | 2
    handbrake-cable      | Parking brake cable      | Handbremsseil            | Трос ручного тормоза          | 2*`,
  ),
  ...family(
    'chassis',
    `
    front-shock          | Shock absorber, front    | Stoßdämpfer, vorne       | Амортизатор передний          | 1*
    rear-shock           | Shock absorber, rear     | Stoßdämpfer, hinten      | Амортизатор задний            | 1
    front-spring         | Coil spring, front       | Fahrwerksfeder, vorne    | Пружина передняя              | 3
    rear-spring          | Coil spring, rear        | Fahrwerksfeder, hinten   | Пружина задняя                | 3
    control-arm          | Control arm, lower       | Querlenker, unten        | Рычаг подвески нижний         | 2*
    ball-joint           | Ball joint               | Traggelenk               | Опора шаровая                 | 1
    strut-mount          | Strut mount              | Domlager                 | Опора стойки амортизатора     | 2
    stabiliser-link      | Stabiliser link          | Koppelstange             | Стойка стабилизатора          | 1*
    stabiliser-bush      | Stabiliser bush          | Stabilisatorlager        | Втулка стабилизатора          | 1
    arm-bush             | Control arm bush         | Querlenkerlager          | Сайлентблок рычага            | 1
    front-hub            | Wheel bearing kit, front | Radlagersatz, vorne      | Подшипник ступицы передний    | 1
    rear-hub             | Wheel bearing kit, rear  | Radlagersatz, hinten     | Подшипник ступицы задний      | 2
    bump-stop            | Bump stop                | Anschlagpuffer           | Отбойник амортизатора         | 2`,
  ),
  ...family(
    'steering',
    `
    steering-rack        | Steering rack            | Lenkgetriebe             | Рейка рулевая                 | 4
    tie-rod              | Tie rod                  | Axialgelenk Spurstange   | Тяга рулевая                  | 2
    tie-rod-end          | Tie rod end              | Spurstangenkopf          | Наконечник рулевой тяги       | 1*
    rack-boot            | Steering rack boot       | Faltenbalg Lenkung       | Пыльник рулевой рейки         | 2
    steering-pump        | Power steering pump      | Servopumpe               | Насос гидроусилителя руля     | 3
    steering-hose        | Power steering hose      | Hydraulikschlauch Lenkung | Шланг гидроусилителя руля    | 3
    steering-shaft       | Steering shaft joint     | Lenkwellengelenk         | Карданчик рулевого вала       | 4`,
  ),
  ...family(
    'electric',
    `
    oil-switch           | Oil pressure switch      | Öldruckschalter          | Датчик давления масла         | 2
    flow-sensor          | Mass air flow sensor     | Luftmassenmesser         | Датчик массового расхода воздуха | 2
    lambda-sensor        | Oxygen sensor            | Lambdasonde              | Датчик кислорода              | 2
    temp-sensor          | Coolant temperature sensor | Kühlmitteltemperatursensor | Датчик температуры охлаждающей жидкости | 2
    spark-plug           | Spark plug               | Zündkerze                | Свеча зажигания               | 1
    ignition-coil        | Ignition coil            | Zündspule                | Катушка зажигания             | 1
    alternator           | Alternator               | Lichtmaschine            | Генератор                     | 3
    starter              | Starter motor            | Anlasser                 | Стартер                       | 3
    battery              | Starter battery          | Starterbatterie          | Батарея аккумуляторная        | 1
    speed-sensor         | Wheel speed sensor       | Raddrehzahlsensor        | Датчик скорости колеса        | 2*
    blower-resistor      | Blower resistor          | Widerstand Gebläse       | Резистор вентилятора отопителя | 3`,
  ),
  ...family(
    'fastener',
    `
    drain-plug           | Oil drain plug           | Ölablassschraube         | Пробка сливная масляная       | 2
    head-bolts           | Cylinder head bolt kit   | Zylinderkopfschraubensatz | Болты головки блока, комплект | 3
    flange-bolt          | Flange bolt              | Flanschschraube          | Болт с фланцем                | 4
    hex-nut              | Hexagon nut              | Sechskantmutter          | Гайка шестигранная            | 4
    hose-clamp           | Hose clamp               | Schlauchschelle          | Хомут шланга                  | 3
    circlip              | Circlip                  | Sicherungsring           | Кольцо стопорное              | 4
    mounting-kit         | Mounting kit             | Montagesatz              | Комплект монтажный            | 3`,
  ),
];

/** The kind of a code; a code that is not there is a mistake of the script. */
export function kindOf(code: string): Kind {
  const kind = KINDS.find((candidate) => candidate.code === code);
  if (kind === undefined) throw new Error(`There is no kind ${code}.`);
  return kind;
}
