import { readDiscordHandover, removeDiscordHandover } from '#runtime/discord/discord-handover.ts';
import type { Log } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';
import { thisMachine } from '../kernel/access/authorize.ts';
import type { DiscordSettings } from './discord-settings.ts';

/** Imports what the desktop left for the database. Unreadable values are reported, and entered in the panel again. */
export const takeDiscordHandover = async ({
  home,
  keys,
  settings,
  log,
}: {
  readonly home: string;
  /** CONFIG_ENCRYPTION_KEY, then those before it. */
  readonly keys: readonly [Secret, ...Secret[]];
  readonly settings: DiscordSettings;
  readonly log: Log;
}): Promise<void> => {
  const left = await readDiscordHandover(home, keys).catch((err: unknown) => {
    log.warn({ err }, 'could not read the Discord settings from the desktop; enter them in the panel');
    return null;
  });
  if (left) await settings.save(null, left, { actor: thisMachine, address: '127.0.0.1' });
  await removeDiscordHandover(home);
};
