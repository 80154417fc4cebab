import type { BotGuild } from '#contracts/discord/discord-events.ts';

/** The Discord server as the bot last reported it. */
export interface KnownGuild {
  report(guild: BotGuild): void;
  /** The bot is working there. @returns what is known about it; null when it has to be reported */
  hear(guildId: string): BotGuild | null;
  /** Null while the bot is away. */
  current(): BotGuild | null;
}

/** The bot asks for events every second, and every ten seconds while the API has trouble. */
const awayAfterMs = 25_000;

export const createKnownGuild = (): KnownGuild => {
  let told: BotGuild | null = null;
  let heardMs = 0;
  return {
    report(guild) {
      told = guild;
      heardMs = performance.now();
    },
    hear(guildId) {
      if (told?.guildId !== guildId) return null;
      heardMs = performance.now();
      return told;
    },
    current: () => (performance.now() - heardMs < awayAfterMs ? told : null),
  };
};
