import { chmod, stat } from 'node:fs/promises';

let ofUser = 0o022;

/** Makes everything that this process and its children create readable for its user only, even under a wider umask. */
export function keepPrivate(): void {
  ofUser = process.umask(0o077);
}

/** Gives a file that the user asked for the mode that their umask wants. */
export async function giveUsersMode(path: string): Promise<void> {
  await chmod(path, 0o666 & ~ofUser);
}

/** Gives a file that is to replace another the mode of that, or as `giveUsersMode` when there is none yet. */
export async function giveModeOf(path: string, replaced: string): Promise<void> {
  const there = await stat(replaced).catch(() => null);
  await (there === null ? giveUsersMode(path) : chmod(path, there.mode & 0o777));
}
