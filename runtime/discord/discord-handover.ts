import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { discordId, discordTokenField } from '#contracts/discord/discord-application.ts';
import { ifAbsent } from '../absent-file.ts';
import { writeFileAtomically } from '../atomic-write.ts';
import type { Secret } from '../secret.ts';
import { createSecretBox } from '../secret-box.ts';

/** Absent fields keep their saved values. */
const handover = z.object({
  token: discordTokenField.optional(),
  clientId: discordId.optional(),
  guildId: discordId.optional(),
});
type DiscordHandover = z.infer<typeof handover>;

const pathIn = (home: string): string => join(home, 'discord-setup.sealed');
const place = 'discord-setup';

/** Leaves the bot's Discord settings, sealed, for the API, which writes them to the database at its next start. */
export const leaveDiscordHandover = (home: string, key: Secret, left: DiscordHandover): Promise<void> =>
  writeFileAtomically(
    pathIn(home),
    createSecretBox([key]).seal(JSON.stringify(handover.parse(left)), place),
    0o600,
  );

/**
 * @param keys CONFIG_ENCRYPTION_KEY, then those before it
 * @returns null when nothing was left
 * @throws when what was left cannot be read
 */
export const readDiscordHandover = async (
  home: string,
  keys: readonly [Secret, ...Secret[]],
): Promise<DiscordHandover | null> => {
  const sealed = await readFile(pathIn(home), 'utf8').catch(ifAbsent(null));
  if (sealed === null) return null;
  return handover.parse(JSON.parse(createSecretBox(keys).open(sealed, place).toString()));
};

export const removeDiscordHandover = (home: string): Promise<void> => rm(pathIn(home), { force: true });
