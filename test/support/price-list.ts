import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { onTestFinished } from 'vitest';

/** Writes a text into a file of its own in a charset, with a byte order mark where asked; answers with its path. */
export function textFile(text: string, charset = 'utf-8', addBOM = false): string {
  const name = charset === 'x-mac-cyrillic' ? 'maccyrillic' : charset;
  return bytesFile(iconv.encode(text, name, { addBOM }));
}

/** Writes bytes into a file of their own; answers with its path. */
export function bytesFile(bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'offerline-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'offers.csv');
  writeFileSync(path, bytes);
  return path;
}

/** Short price lists as suppliers of these countries write them. */
export const PRICE_LISTS = {
  ru: 'Бренд;Артикул;Наименование;Цена\r\nBOSCH;0986424797;Колодки тормозные передние;1250,00\r\nMANN;W 712/75;Фильтр масляный;420,50\r\nLEMFORDER;25983 01;Рычаг подвески левый;3100,00\r\n',
  uk: 'Бренд;Артикул;Назва;Ціна\r\nBOSCH;0986424797;Колодки гальмівні передні;1250,00\r\nMANN;W 712/75;Фільтр оливний;420,50\r\nSACHS;313 478;Амортизатор задній;2100,00\r\n',
  de: 'Hersteller;Artikelnummer;Bezeichnung;Preis\r\nBOSCH;0986424797;Bremsbeläge für Vorderachse;24,90\r\nMANN;W 712/75;Ölfilter;8,50\r\nATE;13.0460;Bremsflüssigkeitsbehälter;31,00\r\n',
  fr: 'Marque;Référence;Désignation;Prix\r\nVALEO;826211;Kit d’embrayage complété;124,90\r\nBOSCH;0986;Plaquettes arrière gauche;31,50\r\nSNR;R155;Roulement côté droit, étanchéité;41,00\r\n',
  pl: 'Marka;Indeks;Nazwa;Cena\r\nBOSCH;0986424797;Klocki hamulcowe przód łożysko;124,90\r\nSACHS;313 478;Amortyzator tył, sprężyna gazowa;210,50\r\nFILTRON;OP 526;Filtr oleju, część zamienna;31,00\r\n',
  cs: 'Výrobce;Číslo;Název;Cena\r\nBOSCH;0986424797;Brzdové destičky přední;1249,00\r\nSACHS;313 478;Tlumič zadní plynový, pružina;2100,50\r\nATE;13.0460;Kotouč brzdový větraný;990,00\r\n',
  tr: 'Marka;Parça No;Açıklama;Fiyat\r\nBOSCH;0986424797;Fren balatası ön takım;1249,00\r\nSACHS;313 478;Amortisör arka sağ gazlı;2100,50\r\nMANN;W 712;Yağ filtresi şanzıman için;190,00\r\n',
  lt: 'Gamintojas;Kodas;Pavadinimas;Kaina\r\nBOSCH;0986424797;Stabdžių kaladėlės priekinės;24,90\r\nSACHS;313 478;Amortizatorius galinis dešinės pusės;61,50\r\nMANN;W 712;Alyvos filtras, tarpinė žvakė;9,00\r\n',
  zh: '品牌;编号;名称;价格\r\nBOSCH;0986424797;前制动片套装;124.90\r\nMANN;W 712;机油滤清器;31.50\r\nSACHS;313478;后减震器总成;210.00\r\n',
  'zh-Hant':
    '品牌;料號;名稱;價格\r\nBOSCH;0986424797;前煞車來令片組;124.90\r\nMANN;W 712;機油濾清器;31.50\r\nSACHS;313478;後避震器總成;210.00\r\n',
  ja: 'メーカー;品番;品名;価格\r\nBOSCH;0986424797;フロントブレーキパッド;12490\r\nMANN;W 712;オイルフィルター交換用;3150\r\nKYB;343278;リアショックアブソーバー左側;9800\r\n',
  ko: '브랜드;품번;품명;가격\r\nBOSCH;0986424797;앞 브레이크 패드 세트;124900\r\nMANN;W 712;엔진 오일 필터;31500\r\nMANDO;EX546;뒤 쇼크 업소버 우측;98000\r\n',
};
