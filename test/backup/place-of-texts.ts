import type { BackupPlace } from '../../src/backup/place.ts';

/** A place of which only its texts are asked. */
export function placeOfTexts(): BackupPlace {
  const texts = new Map<string, string>();
  return {
    where: 'the place',
    address: '/the/place',
    readText: (name: string) => Promise.resolve(texts.get(name) ?? null),
    writeText: (name: string, text: string) => Promise.resolve(void texts.set(name, text)),
  } as unknown as BackupPlace;
}
