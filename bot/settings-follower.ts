import type { BotSettings, BotStatus, BotTraffic, DiscordField } from '#contracts/discord/bot.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import type { Log } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { type DiscordSession, keepDiscordSession, type SessionSettings } from './discord-session.ts';

/** From `.env`, passed on by the supervisor. */
export interface EnvSettings {
  readonly token: Secret | undefined;
  readonly clientId: string | undefined;
  readonly guildId: string | undefined;
}

export const fieldsOf = (env: EnvSettings): DiscordField[] =>
  (['token', 'clientId', 'guildId'] as const).filter((name) => env[name] !== undefined);

/** Values in `.env` win, field by field. */
export const effectiveSettings = (env: EnvSettings, saved: BotSettings | null): SessionSettings => ({
  token: env.token ?? (saved?.token ? new Secret(saved.token) : undefined),
  isTokenUnreadable: env.token === undefined && saved?.isTokenUnreadable === true,
  guildId: env.guildId ?? saved?.guildId ?? '',
});

interface SettingsFollower extends AsyncDisposable {
  /** @param saved null: the API could not be asked yet */
  take(saved: BotSettings | null): void;
  latencyMs(): number | null;
  traffic(): BotTraffic | null;
}

/** Keeps a session with the current settings: another token or server means a new session, while the bot keeps running. */
export const followSettings = (
  options: Pick<Parameters<typeof keepDiscordSession>[0], 'api' | 'discordUrls'> & {
    readonly env: EnvSettings;
    readonly onStatus: (status: BotStatus) => void;
    /** Called before the token is used, so that no log shows it. */
    readonly onToken: (token: Secret) => void;
    readonly log: Log;
  },
): SettingsFollower => {
  const { env, discordUrls, onStatus, onToken, api, log } = options;
  let session: DiscordSession | null = null;
  let held: SessionSettings | null = null;
  let isStopping = false;
  let changing = Promise.resolve();

  const change = async (saved: BotSettings | null): Promise<void> => {
    const wanted = effectiveSettings(env, saved);
    if (!saved && !wanted.token) {
      const detail = healthReasons['bot-waits-for-settings'];
      return onStatus({ state: 'connecting', detail, obstacle: null, guildName: null, clientId: '' });
    }
    if (session && !session.hasEnded && held && isSame(held, wanted)) return;
    await session?.[Symbol.asyncDispose]();
    if (isStopping) return;
    held = wanted;
    if (wanted.token) onToken(wanted.token);
    session = keepDiscordSession({ ...wanted, discordUrls, onStatus, api, log });
  };

  return {
    take(saved) {
      changing = changing.then(() => change(saved));
    },
    latencyMs: () => session?.latencyMs() ?? null,
    traffic: () => session?.traffic() ?? null,
    async [Symbol.asyncDispose]() {
      isStopping = true;
      await changing;
      await session?.[Symbol.asyncDispose]();
    },
  };
};

const isSame = (a: SessionSettings, b: SessionSettings): boolean =>
  a.token?.reveal() === b.token?.reveal() &&
  a.isTokenUnreadable === b.isTokenUnreadable &&
  a.guildId === b.guildId;
