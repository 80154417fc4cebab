import * as z from 'zod';
import {
  type DiscordReport,
  discordBotPageUrl,
  discordIdPattern,
  discordInviteUrl,
} from '#contracts/discord/discord-application.ts';
import { outsideReasons } from '#contracts/kernel/outside-reasons.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { explainOutside } from '../outside/outside-failure.ts';
import { askDiscord, discordApiUrl } from './ask-discord.ts';

const application = z.object({ id: z.string().regex(discordIdPattern), flags: z.int().default(0) });
const user = z.object({ username: z.string() });
const guild = z.object({ name: z.string() });
const throttled = z.object({ retry_after: z.number() });

/** Flags of an application, from Discord's reference: each intent, granted in full or for small bots. */
const intentFlags = { members: (1 << 14) | (1 << 15), content: (1 << 18) | (1 << 19) } as const;

/**
 * Asks Discord whether the bot can work with a token, an application and a Discord server, the way that the bot goes, too.
 */
export const checkDiscord = async (
  {
    token,
    clientId,
    guildId,
  }: {
    readonly token: string;
    /** Empty: accepts the token's application, whichever it is. */
    readonly clientId: string;
    /** Empty: none yet. */
    readonly guildId: string;
  },
  {
    apiUrl = discordApiUrl,
    timeoutMs = 10_000,
  }: {
    /** Replaces the real Discord in tests. */
    readonly apiUrl?: string | undefined;
    readonly timeoutMs?: number;
  } = {},
): Promise<DiscordReport> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const ask = (path: string) => askDiscord({ token, apiUrl, signal }, path);
  try {
    const me = await ask('/users/@me');
    if (me.status === 401) return { outcome: 'token-wrong' };
    if (me.status === 429) return tooOften(me.body);
    const app = await ask('/applications/@me');
    if (app.status === 429) return tooOften(app.body);
    if (me.isPage && me.status < 500)
      return unreachable(outsideReasons['outside-page'](new URL(apiUrl).host));
    if (me.status !== 200 || app.status !== 200) return strange(me.status === 200 ? app.status : me.status);
    const { id, flags } = application.parse(app.body);
    if (clientId !== '' && clientId !== id) return { outcome: 'other-client', clientId: id };
    const found = guildId === '' ? null : await ask(`/guilds/${guildId}`);
    if (found?.status === 429) return tooOften(found.body);
    if (found && ![200, 403, 404].includes(found.status)) return strange(found.status);
    const guildName = found?.status === 200 ? guild.parse(found.body).name : null;
    const hasIntents = Object.values(intentFlags).every((either) => (flags & either) !== 0);
    return {
      outcome: guildId !== '' && guildName === null ? 'not-in-guild' : hasIntents ? 'fine' : 'intents-off',
      botName: user.parse(me.body).username,
      clientId: id,
      guildName,
      inviteUrl: discordInviteUrl(id, guildId),
      settingsUrl: discordBotPageUrl(id),
    };
  } catch (error) {
    if (error instanceof z.ZodError) return strange(200);
    const { text } = await explainOutside(error, new URL(apiUrl));
    return unreachable(`${healthReasons['discord-unreachable']} ${text}`);
  }
};

/** A server that answers in Discord's place cannot block further tries for longer than this. */
const longestWaitSeconds = 3600;

const tooOften = (body: unknown): DiscordReport => {
  const seconds = throttled.safeParse(body).data?.retry_after ?? 60;
  const retryAfterSeconds = Math.min(Math.max(0, Math.ceil(seconds)), longestWaitSeconds);
  return { outcome: 'rate-limited', retryAfterSeconds };
};

const unreachable = (detail: string): DiscordReport => ({ outcome: 'unreachable', detail });

const strange = (status: number): DiscordReport => unreachable(healthReasons['discord-strange'](status));
