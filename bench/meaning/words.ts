/** What a list is written with in one language: its header (of tags only the configured name is taken without asking), names of parts, tags. */
export type Words = {
  language: string;
  header: [brand: string, number: string, name: string, tags: string];
  names: string[];
  tags: string[];
};

export const LANGUAGES: Words[] = [
  {
    language: 'English',
    header: ['brand', 'part number', 'name', 'tags'],
    names: ['Brake pads, front axle', 'Oil filter', 'Clutch kit', 'Wheel bearing', 'Spark plug'],
    tags: ['front', 'rear', 'new', 'sale', 'diesel'],
  },
  {
    language: 'German',
    header: ['Hersteller', 'Artikelnummer', 'Bezeichnung', 'tags'],
    names: ['Bremsbelagsatz, Vorderachse', 'Ölfilter', 'Kupplungssatz', 'Radlager', 'Zündkerze'],
    tags: ['vorne', 'hinten', 'neu', 'Angebot', 'Diesel'],
  },
  {
    language: 'Russian',
    header: ['Бренд', 'Артикул', 'Наименование', 'tags'],
    names: [
      'Колодки тормозные передние',
      'Фильтр масляный',
      'Комплект сцепления',
      'Подшипник ступицы',
      'Свеча зажигания',
    ],
    tags: ['перед', 'зад', 'новинка', 'акция', 'дизель'],
  },
  {
    language: 'Ukrainian',
    header: ['Бренд', 'Артикул', 'Назва', 'tags'],
    names: ['Гальмівні колодки', 'Фільтр масляний', 'Комплект зчеплення', 'Підшипник маточини'],
    tags: ['перед', 'зад', 'новинка', 'знижка'],
  },
  {
    language: 'Polish',
    header: ['Marka', 'Numer katalogowy', 'Nazwa', 'tags'],
    names: ['Klocki hamulcowe', 'Filtr oleju', 'Zestaw sprzęgła', 'Łożysko koła'],
    tags: ['przód', 'tył', 'nowość', 'promocja'],
  },
  {
    language: 'Czech',
    header: ['Značka', 'Kód dílu', 'Název', 'tags'],
    names: ['Brzdové destičky', 'Olejový filtr', 'Sada spojky', 'Ložisko kola'],
    tags: ['přední', 'zadní', 'novinka', 'akce'],
  },
  {
    language: 'Turkish',
    header: ['Marka', 'Parça No', 'Ürün Adı', 'tags'],
    names: ['Fren balatası', 'Yağ filtresi', 'Debriyaj seti', 'Teker bilyası'],
    tags: ['ön', 'arka', 'yeni', 'indirim'],
  },
  {
    language: 'Spanish',
    header: ['Marca', 'Referencia', 'Descripción', 'tags'],
    names: ['Pastillas de freno', 'Filtro de aceite', 'Kit de embrague', 'Rodamiento de rueda'],
    tags: ['delantero', 'trasero', 'nuevo', 'oferta'],
  },
  {
    language: 'French',
    header: ['Marque', 'Référence', 'Désignation', 'tags'],
    names: ['Plaquettes de frein', 'Filtre à huile', 'Kit d’embrayage', 'Roulement de roue'],
    tags: ['avant', 'arrière', 'nouveau', 'promo'],
  },
  {
    language: 'Italian',
    header: ['Marca', 'Codice articolo', 'Descrizione', 'tags'],
    names: ['Pastiglie freno', 'Filtro olio', 'Kit frizione', 'Cuscinetto ruota'],
    tags: ['anteriore', 'posteriore', 'nuovo', 'offerta'],
  },
  {
    language: 'Portuguese',
    header: ['Marca', 'Código da peça', 'Descrição', 'tags'],
    names: ['Pastilhas de travão', 'Filtro de óleo', 'Kit de embraiagem', 'Rolamento de roda'],
    tags: ['dianteiro', 'traseiro', 'novo', 'promoção'],
  },
  {
    language: 'Chinese',
    header: ['品牌', '零件号', '名称', 'tags'],
    names: ['刹车片', '机油滤清器', '离合器套件', '轮毂轴承'],
    tags: ['前', '后', '新品', '促销'],
  },
];
