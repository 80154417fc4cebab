import type { Kysely } from 'kysely';
import type { ApiRoutes } from '../kernel/access/authorize.ts';
import { coalesceReads } from '../kernel/database/coalesce-reads.ts';
import type { Tables } from '../kernel/database/tables.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Settings } from '../operations/settings.ts';
import { bindBotLinkRoutes } from './bot-link/bot-link.routes.ts';
import type { BotLink } from './bot-link/bot-link.ts';
import { bindDiscordRoutes } from './bot-settings/discord.routes.ts';
import { createDiscord } from './bot-settings/discord.ts';
import { takeDiscordHandover } from './bot-settings/discord-settings.ts';
import { bindChatRelayRoutes } from './chat-relay/chat-relay.routes.ts';
import { type ChatRelay, createChatRelay } from './chat-relay/chat-relay.ts';
import type { RelayedServers } from './chat-relay/describe-relay.ts';
import { bindDiscordEventsRoutes } from './discord-events/discord-events.routes.ts';
import { createDiscordEvents, type DiscordEvents } from './discord-events/discord-events.ts';
import type { AdminLinks } from './discord-rights/admin-links.ts';
import { bindDiscordRightsRoutes } from './discord-rights/discord-rights.ts';
import { bindDiscordStatusRoutes } from './discord-status/discord-status.routes.ts';
import { createKeptMessages } from './discord-status/kept-messages.ts';
import { createRecentRefusals } from './discord-status/recent-refusals.ts';
import { type BoardSources, createStatusBoards } from './discord-status/status-board.ts';

/** What the bot does, and its settings. */
export interface DiscordServices extends AsyncDisposable {
  readonly discordEvents: DiscordEvents;
  readonly chatRelay: ChatRelay;
  bind(routes: ApiRoutes): void;
  /** Called once the schema is in place. */
  prepare(): Promise<void>;
}

export const createDiscordServices = (
  options: Kernel & {
    readonly settings: Settings;
    readonly servers: RelayedServers & {
      readonly directory: { readonly all: BoardSources['servers'] };
      readonly statusOf: BoardSources['statusOf'];
      /** Says a line in the chat of a game, once. @returns whether the game has replied */
      readonly say: (serverId: string, text: string) => Promise<boolean>;
    };
    readonly presence: {
      readonly read: BoardSources['playersOn'];
      /** Null: it is unknown. */
      readonly count: (serverId: string) => number | null;
    };
    readonly onSpoken: Parameters<typeof createChatRelay>[0]['onSpoken'];
    /** Whether a line of chat is a command for Castellan. */
    readonly isCommand: (line: string, prefix: string) => boolean;
    readonly botLink: BotLink;
    readonly adminLinks: AdminLinks;
    /** Called in the transaction that changes the Discord server. */
    readonly onGuildChange: (trx: Kysely<Tables>) => Promise<void>;
    /** Roles give other permissions than before. */
    readonly onRightsChange: () => void;
  },
): DiscordServices => {
  const { db, obstacle, licenseHolds, log, settings, servers, presence, botLink } = options;
  const discord = createDiscord({ ...options, bot: botLink.last });
  const discordEvents = createDiscordEvents({
    db,
    serverName: (id) => servers.directory.get(id)?.name ?? null,
    log,
  });
  const guild = discordEvents.guild.current;
  const refusals = createRecentRefusals();
  const board = createStatusBoards({
    servers: servers.directory.all,
    statusOf: servers.statusOf,
    playersOn: presence.read,
  });
  const kept = createKeptMessages({ db, board, refusals });
  const chatRelay = createChatRelay({
    db,
    settings,
    servers,
    playersOn: presence.count,
    say: servers.say,
    isCommand: options.isCommand,
    onSpoken: options.onSpoken,
    guild,
    licenseHolds,
    log,
  });
  return {
    discordEvents,
    chatRelay,
    bind(routes) {
      bindDiscordRoutes(routes, discord, options);
      bindDiscordEventsRoutes(routes, { ...discordEvents, db, settings });
      bindChatRelayRoutes(routes, chatRelay);
      bindDiscordStatusRoutes(routes, { db, settings, guild, refusals, kept });
      bindDiscordRightsRoutes(routes, {
        db,
        adminLinks: options.adminLinks,
        guildRoles: discord.guildRoles,
        onChange: options.onRightsChange,
      });
      bindBotLinkRoutes(routes, botLink, coalesceReads(discord.revision, obstacle));
    },
    async prepare() {
      await discordEvents.prepare();
      await takeDiscordHandover(options);
    },
    [Symbol.asyncDispose]: () => chatRelay[Symbol.asyncDispose](),
  };
};
