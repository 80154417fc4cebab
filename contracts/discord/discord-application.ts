import * as z from 'zod';
import { withoutInvisible } from '../kernel/pasted-text.ts';

/** Three parts separated by dots, the form of Discord's tokens. */
export const discordTokenPattern = /^[\w-]+\.[\w-]+\.[\w-]+$/;
export const discordIdPattern = /^\d{15,22}$/;
export const discordId = z.string().regex(discordIdPattern, 'must be a Discord id: digits only');

/** A whole token among other text: Discord's parts have 24 to 28, 6, and 27 or more characters. */
const tokenInText = /(?<![\w.-])[\w-]{23,}\.[\w-]{6,7}\.[\w-]{27,}(?![\w.-]*[\w-])/g;

/**
 * A token as it comes with a paste: in quotes, with `Bot ` or the name of a variable before it, broken into lines, or in a line of
 * code or JSON. Two different ones are not chosen from.
 */
export const pastedDiscordToken = (text: string): string => {
  const plain = withoutInvisible(text);
  const bare = plain
    .replace(/^[^.:=]*token["'`]?\s*[:=]/i, '')
    .replace(/^[\s"'`“”„‘’«»<]+|[\s"'`“”„‘’«»>,;.]+$/g, '')
    .replace(/^bot\s+/i, '')
    .replace(/\s+/g, '');
  if (discordTokenPattern.test(bare)) return bare;
  const [token, another] = new Set(plain.match(tokenInText));
  return token === undefined || another !== undefined ? bare : token;
};

/** The id in a link, a mention or other pasted text; the text itself if it holds none or several. */
export const pastedDiscordId = (text: string): string => {
  const plain = withoutInvisible(text).normalize('NFKC').replace(/\s+/g, ' ').trim();
  const [, ofGuild] = /\/channels\/(\d{15,22})\b/.exec(plain) ?? [];
  const found = [...new Set(ofGuild === undefined ? plain.match(/(?<!\w)\d{15,22}(?!\w)/g) : [ofGuild])];
  return found.length === 1 ? (found[0] ?? plain) : plain;
};

export const discordTokenField = z
  .string()
  .max(2000)
  .overwrite(pastedDiscordToken)
  .max(200)
  .regex(discordTokenPattern);
/** Empty: none. */
export const discordIdField = z.union([z.literal(''), discordId]);

/** What Discord says about a token, an application and a server. */
export const discordReport = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.enum(['fine', 'intents-off', 'not-in-guild']),
    botName: z.string(),
    /** The application's id, whatever was typed. */
    clientId: z.string(),
    guildName: z.string().nullable(),
    /** Where to add the bot to a Discord server, and where to turn on its intents. */
    inviteUrl: z.string(),
    settingsUrl: z.string(),
  }),
  z.object({ outcome: z.literal('other-client'), clientId: z.string() }),
  z.object({ outcome: z.literal('token-wrong') }),
  z.object({ outcome: z.literal('rate-limited'), retryAfterSeconds: z.int() }),
  z.object({ outcome: z.literal('unreachable'), detail: z.string() }),
]);
export type DiscordReport = z.infer<typeof discordReport>;

/**
 * The permissions that the bot asks for on a Discord server, from Discord's reference. The invite link contains them
 * all, so that it is needed only once.
 */
export const discordPermissions = {
  viewChannels: 2 ** 10,
  sendMessages: 2 ** 11,
  embedLinks: 2 ** 14,
  attachFiles: 2 ** 15,
  readHistory: 2 ** 16,
  manageRoles: 2 ** 28,
  manageWebhooks: 2 ** 29,
} as const;
export type DiscordPermission = keyof typeof discordPermissions;

export const discordPermissionBits = Object.values(discordPermissions).reduce((sum, bit) => sum + bit, 0);

/** @param guildId if empty, it is chosen in Discord */
export const discordInviteUrl = (clientId: string, guildId: string): string => {
  const parameters = {
    client_id: clientId,
    scope: 'bot+applications.commands',
    permissions: String(discordPermissionBits),
    ...(guildId === '' ? {} : { guild_id: guildId }),
  };
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return `https://discord.com/oauth2/authorize?${query.join('&')}`;
};

/** The page with an application's token and intents. */
export const discordBotPageUrl = (clientId: string): string =>
  `https://discord.com/developers/applications/${clientId}/bot`;
