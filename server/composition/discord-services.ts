import type { Kysely } from 'kysely';
import { games } from '#contracts/servers/games.ts';
import type { Log } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import type { BotLink } from '../discord/bot-link/bot-link.ts';
import { type ChatRelay, createChatRelay } from '../discord/chat-relay/chat-relay.ts';
import { createDiscord, type Discord } from '../discord/discord.ts';
import { createDiscordEvents, type DiscordEvents } from '../discord/discord-events/discord-events.ts';
import { createDiscordSettings, type DiscordSettings } from '../discord/discord-settings.ts';
import { createDiscordStatus, type DiscordStatus } from '../discord/discord-status/discord-status.ts';
import { takeDiscordHandover } from '../discord/take-handover.ts';
import type { Tables } from '../kernel/database/tables.ts';
import type { Secrets } from '../kernel/secrets/secrets.ts';
import type { Settings } from '../operations/settings/settings.ts';
import { readDiscordOf } from '../people/members/discord-of-player.ts';
import { beginsWithPrefix } from '../storefronts/chat-commands/parse-command.ts';
import type { GameServices } from './game-services.ts';
import type { Store } from './store.ts';

/** What the bot does, and its settings. */
export interface DiscordServices {
  readonly discord: Discord;
  readonly discordSettings: DiscordSettings;
  readonly discordEvents: DiscordEvents;
  readonly discordStatus: DiscordStatus;
  readonly chatRelay: ChatRelay;
}

interface OwnedDiscordServices extends AsyncDisposable {
  readonly services: DiscordServices;
  /** Called once the schema is in place. */
  prepare(): Promise<void>;
}

export const createDiscordServices = (options: {
  readonly db: Kysely<Tables>;
  readonly config: StackConfig;
  readonly home: string;
  /** CONFIG_ENCRYPTION_KEY, then those before it. */
  readonly keys: readonly [Secret, ...Secret[]];
  readonly secrets: Secrets;
  readonly settings: Settings;
  readonly games: GameServices;
  readonly guildMembers: Store['guildMembers'];
  readonly bot: BotLink['last'];
  /** By the license at this moment. */
  readonly licenseHolds: () => boolean;
  readonly log: Log;
}): OwnedDiscordServices => {
  const { db, config, home, keys, secrets, settings, games: gameServices, log } = options;
  const language = async () => (await settings.values('general')).language;
  const communityName = async () => (await settings.saved('general')).communityName ?? null;
  const discordSettings = createDiscordSettings(db, secrets, options.guildMembers.forget);
  const discord = createDiscord({
    settings: discordSettings,
    env: config,
    apiUrl: config.discordApiUrl,
    bot: options.bot,
  });
  const discordEvents = createDiscordEvents({
    db,
    serverName: (id) => gameServices.directory.get(id)?.name ?? null,
    language,
    communityName,
    log,
  });
  const discordStatus = createDiscordStatus({
    db,
    guild: discordEvents.guild.current,
    servers: gameServices.directory.all,
    statusOf: gameServices.statusOf,
    playersOn: gameServices.presence.read,
    language,
    communityName,
  });
  const chatRelay = createChatRelay({
    db,
    server(id) {
      const found = gameServices.directory.get(id);
      if (!found) return null;
      const showsLog = games[found.game].hasLiveConsole && found.host !== null;
      // Earlier agents do not say whether they read the game's log.
      const readsLog = gameServices.tasks.machineOf(id).machine?.facts.readsLog ?? true;
      return {
        name: found.name,
        isHeard: showsLog || (readsLog && gameServices.agents.isPresent(id)),
        isOnline: gameServices.statusOf(id).state === 'online',
      };
    },
    playersOn: gameServices.presence.count,
    say: gameServices.say,
    async commands() {
      const { prefix } = await settings.values('chat-shop');
      return (text) => beginsWithPrefix(text, prefix);
    },
    discordOf: (playerId) => readDiscordOf(db, playerId),
    onSpoken: (listener) => gameServices.news.on('spoken', listener),
    guild: discordEvents.guild.current,
    licenseHolds: options.licenseHolds,
    log,
  });
  return {
    services: { discord, discordSettings, discordEvents, discordStatus, chatRelay },
    async prepare() {
      await discordEvents.prepare();
      await takeDiscordHandover({ home, keys, settings: discordSettings, log });
    },
    [Symbol.asyncDispose]: () => chatRelay[Symbol.asyncDispose](),
  };
};
