import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { secretFaults } from '../operations/secrets.ts';
import { botReport, discordFields } from './bot.ts';
import { discordId, discordIdField, discordReport, discordTokenField } from './discord-application.ts';

/** What the bot's settings page shows. Never contains the token itself. */
const discordSettings = z
  .object({
    /** Incremented by each change; 0 until something is saved. */
    version: z.int().nonnegative(),
    /** As saved here; a token in `.env` wins over it. */
    token: z.object({
      set: z.boolean(),
      /** Why the saved one cannot be read; null if it can, or is not set. */
      fault: z.enum(secretFaults).nullable(),
    }),
    /** As saved here; empty: none. */
    clientId: discordIdField,
    guildId: discordIdField,
    /** The values in `.env`. */
    fromEnv: z.object({
      fields: z.array(z.enum(discordFields)),
      clientId: discordIdField,
      guildId: discordIdField,
    }),
    /** Adds the bot to a Discord server; null while the application's id is unknown. */
    inviteUrl: z.string().nullable(),
    /** The bot's last report; null if there was none for too long. */
    bot: botReport.nullable(),
  })
  .meta({ id: 'DiscordSettings' });
export type DiscordSettings = z.infer<typeof discordSettings>;

/** Only the values to change; null clears a value. */
const discordPatch = z.strictObject({
  /** The version that the change is based on. */
  version: rowVersion,
  token: discordTokenField.nullable().optional(),
  clientId: discordId.nullable().optional(),
  guildId: discordId.nullable().optional(),
});
export type DiscordPatch = z.infer<typeof discordPatch>;

const discordAsked = z.strictObject({
  /** Null: the current one. */
  token: discordTokenField.nullable(),
  clientId: discordIdField,
  guildId: discordIdField,
});

export const discordHttp = {
  read: endpoint({
    method: 'GET',
    path: '/api/discord',
    summary: 'Return the settings and status of the Discord bot; the token only as set or not',
    access: 'settings.read',
    response: discordSettings,
    problems: [],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/discord',
    summary:
      "Change the Discord bot's token, application or server; the bot applies the change automatically",
    access: 'settings.write',
    proof: 'step-up',
    body: discordPatch,
    response: discordSettings,
    problems: ['CONFLICT'],
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/discord/test',
    summary: 'Test with Discord whether a token, an application and a Discord server belong together',
    access: 'settings.write',
    body: discordAsked,
    response: discordReport,
    problems: ['SECRET_UNREADABLE'],
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/discord/retry',
    summary: 'Have the bot sign in again, after a fix in Discord',
    access: 'settings.write',
    response: z.object({}),
    problems: [],
  }),
} as const;
