import type { ApiRoutes } from '../kernel/access/authorize.ts';
import { coalesceReads } from '../kernel/database/coalesce-reads.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { deliveryQueue } from '../kernel/queues/queues.ts';
import type { Settings } from '../operations/settings.ts';
import { openForAll, removeEmpty } from '../people/discord-accounts.ts';
import type { People } from '../people/people.ts';
import type { Servers } from '../servers/servers.ts';
import { readDeliveries } from '../store/read-deliveries.ts';
import { readForSale } from '../store/sold-products.ts';
import type { Store } from '../store/store.ts';
import { beginsWithPrefix, readChatRules } from '../storefronts/parse-command.ts';
import { bindBotLinkRoutes } from './bot-link/bot-link.routes.ts';
import { type BotLink, createBotLink } from './bot-link/bot-link.ts';
import { bindDiscordRoutes } from './bot-settings/discord.routes.ts';
import { createDiscord } from './bot-settings/discord.ts';
import { takeDiscordHandover } from './bot-settings/discord-settings.ts';
import { bindChatRelayRoutes } from './chat-relay/chat-relay.routes.ts';
import { type ChatRelay, createChatRelay } from './chat-relay/chat-relay.ts';
import { bindDiscordEventsRoutes } from './discord-events/discord-events.routes.ts';
import { createDiscordEvents, type DiscordEvents } from './discord-events/discord-events.ts';
import { bindDiscordGuildRoutes } from './discord-guild/discord-guild.routes.ts';
import { createGuildMembers } from './discord-guild/guild-members.ts';
import { bindDiscordMembersRoutes } from './discord-members/discord-members.routes.ts';
import { createDiscordMembers } from './discord-members/discord-members.ts';
import { createAdminLinks } from './discord-rights/admin-links.ts';
import { bindDiscordRightsRoutes } from './discord-rights/discord-rights.ts';
import { bindDiscordRolesRoutes } from './discord-roles/discord-roles.routes.ts';
import { createDiscordRoles, type DiscordRoles } from './discord-roles/discord-roles.ts';
import { createKnownRoles, type KnownRoles } from './discord-roles/known-roles.ts';
import { retryRoleChanges } from './discord-roles/role-changes.ts';
import { bindDiscordStatusRoutes } from './discord-status/discord-status.routes.ts';
import { createKeptMessages } from './discord-status/kept-messages.ts';
import { createRecentRefusals } from './discord-status/recent-refusals.ts';
import { createStatusBoards } from './discord-status/status-board.ts';

/** What the bot does, its settings, and people on the Discord server: who they are there, their roles, what they do for themselves. */
export interface DiscordServices extends AsyncDisposable {
  readonly botLink: BotLink;
  readonly discordEvents: DiscordEvents;
  readonly chatRelay: ChatRelay;
  readonly roles: DiscordRoles;
  readonly roleFaults: KnownRoles['faults'];
  /** Tries soon what Discord refused to do for this delivery. */
  readonly retryRole: (deliveryId: string) => Promise<void>;
  bind(routes: ApiRoutes): void;
  /** Called once the schema is in place. */
  prepare(): Promise<void>;
  /** Called once the store is prepared. */
  begin(): void;
}

export const createDiscordServices = (
  context: Kernel & {
    readonly settings: Settings;
    readonly servers: Servers;
    readonly people: People;
    readonly store: Store;
    /** Milliseconds since 1970. */
    readonly now: () => number;
  },
): DiscordServices => {
  const { db, obstacle, licenseHolds, pauses, log, settings, servers, people, store } = context;
  const { presence } = people;
  const owned = new AsyncDisposableStack();

  const botLink = createBotLink(context);
  const adminLinks = createAdminLinks(db, context.now);
  const knownRoles = createKnownRoles(() => botLink.last()?.obstacle === 'guild-unavailable');
  const roles = owned.use(
    createDiscordRoles({
      db,
      roles: knownRoles,
      sold: store.deliveries.roles,
      isOnline: (serverId) => servers.statusOf(serverId).state === 'online',
      order: people.whitelist,
      licenseHolds,
      isPaused: () => pauses.isPaused(deliveryQueue),
      language: async () => (await settings.values('general')).language,
      log,
    }),
  );
  store.news.on('rolesDue', roles.wake);
  store.news.on('rolesEnded', roles.reconsider);
  const guildMembers = createGuildMembers({ db, members: { openForAll, removeEmpty } });
  const members = createDiscordMembers({
    members: people.members,
    admins: adminLinks,
    forSale: (wanted) => readForSale(store, wanted),
    typedLink: async () => (await readChatRules(settings)).typed('link'),
    pictureOf: store.catalogue.picture,
    ledgerOf: store.points.ledger,
    orders: store.orders,
    deliveriesOf: (query) => readDeliveries(db, query),
  });
  const discord = createDiscord({ ...context, bot: botLink.last });
  const sources = { ...context, onGuildChange: guildMembers.forget };
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
  const chatRelay = owned.use(
    createChatRelay({
      db,
      settings,
      servers,
      playersOn: presence.count,
      say: servers.say,
      isCommand: beginsWithPrefix,
      onSpoken: (listener) => people.news.on('spoken', listener),
      guild,
      licenseHolds,
      log,
    }),
  );
  return {
    botLink,
    discordEvents,
    chatRelay,
    roles,
    roleFaults: knownRoles.faults,
    retryRole: (deliveryId) => retryRoleChanges(db, deliveryId),
    bind(routes) {
      bindDiscordRoutes(routes, discord, sources);
      bindDiscordEventsRoutes(routes, { ...discordEvents, db, settings });
      bindChatRelayRoutes(routes, chatRelay);
      bindDiscordStatusRoutes(routes, { db, settings, guild, refusals, kept });
      bindDiscordRightsRoutes(routes, {
        db,
        adminLinks,
        guildRoles: discord.guildRoles,
        onChange: roles.reconsider,
      });
      bindBotLinkRoutes(routes, botLink, coalesceReads(discord.revision, obstacle));
      bindDiscordMembersRoutes(routes, members);
      bindDiscordGuildRoutes(routes, { take: (report) => guildMembers.take(report).finally(roles.wake) });
      bindDiscordRolesRoutes(routes, roles);
    },
    async prepare() {
      await discordEvents.prepare();
      await takeDiscordHandover(sources);
    },
    begin: roles.begin,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
