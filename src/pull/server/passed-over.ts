/** Why what stands in a listing and is no plain file is passed over, where its name fits. */
export const NO_FILE = { folder: 'is a folder', link: 'is a link, not a file', other: 'is no plain file' } as const;
