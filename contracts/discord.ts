import * as z from 'zod';
import { botReport, discordFields } from './bot.ts';
import { discordId, discordIdField, discordReport, discordTokenField } from './discord-application.ts';
import { endpoint } from './http.ts';
import { secretFaults } from './secrets.ts';

/** What the settings page of the bot shows. The token itself is never among it. */
export const discordSettings = z
  .object({
    /** Rises with each change; 0 while nothing was ever saved. */
    version: z.int().nonnegative(),
    /** As saved here; what stands in `.env` wins over it. */
    token: z.object({
      set: z.boolean(),
      /** Why the saved one cannot be read; null when it can, or is not set. */
      fault: z.enum(secretFaults).nullable(),
    }),
    /** As saved here; empty: none. */
    clientId: discordIdField,
    guildId: discordIdField,
    /** What stands in `.env`. */
    fromEnv: z.object({
      fields: z.array(z.enum(discordFields)),
      clientId: discordIdField,
      guildId: discordIdField,
    }),
    /** Lets the bot into a Discord server; null while the application's id is not known. */
    inviteUrl: z.string().nullable(),
    /** What the bot said last; null when it has said nothing for too long. */
    bot: botReport.nullable(),
  })
  .meta({ id: 'DiscordSettings' });
export type DiscordSettings = z.infer<typeof discordSettings>;

/** Only what is to change; null clears it. */
const discordPatch = z.strictObject({
  /** The version that the change was made from. */
  version: z.int().nonnegative(),
  token: discordTokenField.nullable().optional(),
  clientId: discordId.nullable().optional(),
  guildId: discordId.nullable().optional(),
});
export type DiscordPatch = z.infer<typeof discordPatch>;

const discordAsked = z.strictObject({
  /** Null: the one that is in use. */
  token: discordTokenField.nullable(),
  clientId: discordIdField,
  guildId: discordIdField,
});

export const discordHttp = {
  read: endpoint({
    method: 'GET',
    path: '/api/discord',
    summary: 'How the Discord bot is set up and how it is; the token only as set or not',
    access: 'settings.read',
    response: discordSettings,
    problems: [],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/discord',
    summary: "Change the Discord bot's token, application or server; the bot takes it by itself",
    access: 'settings.write',
    proof: 'step-up',
    body: discordPatch,
    response: discordSettings,
    problems: ['CONFLICT'],
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/discord/test',
    summary: 'Ask Discord whether a token, an application and a Discord server fit together',
    access: 'settings.write',
    body: discordAsked,
    response: discordReport,
    problems: ['SECRET_UNREADABLE'],
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/discord/retry',
    summary: 'Have the bot sign in again, after something was set right in Discord',
    access: 'settings.write',
    response: z.object({}),
    problems: [],
  }),
} as const;
