import { bindDiscordGuildRoutes } from '../discord/discord-guild/discord-guild.routes.ts';
import { createGuildMembers, type GuildMembers } from '../discord/discord-guild/guild-members.ts';
import { bindDiscordMembersRoutes } from '../discord/discord-members/discord-members.routes.ts';
import {
  createDiscordMembers,
  type DiscordMembersOptions,
} from '../discord/discord-members/discord-members.ts';
import { bindDiscordRolesRoutes } from '../discord/discord-roles/discord-roles.routes.ts';
import { createDiscordRoles, type DiscordRoles } from '../discord/discord-roles/discord-roles.ts';
import type { KnownRoles } from '../discord/discord-roles/known-roles.ts';
import type { ApiRoutes } from '../kernel/access/authorize.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { deliveryQueue } from '../kernel/queues/queues.ts';
import type { Settings } from '../operations/settings.ts';
import { openForAll, removeEmpty } from '../people/members/discord-accounts.ts';
import type { Members } from '../people/members/members.ts';
import type { People } from '../people/people.ts';
import type { Servers } from '../servers/servers.ts';
import { readDeliveries } from '../store/read-deliveries.ts';
import { readForSale } from '../store/sold-products.ts';
import type { Store } from '../store/store.ts';
import { readChatRules } from '../storefronts/chat-commands/parse-command.ts';

/** People on the Discord server: who is there, their roles, and what they do for themselves. */
export interface DiscordPeople extends AsyncDisposable {
  readonly roles: DiscordRoles;
  readonly guildMembers: GuildMembers;
  bind(routes: ApiRoutes): void;
  /** Called once the store is prepared. */
  begin(): void;
}

export const createDiscordPeople = ({
  db,
  pauses,
  licenseHolds,
  log,
  settings,
  members,
  games,
  store,
  knownRoles,
  admins,
}: Pick<Kernel, 'db' | 'pauses' | 'licenseHolds' | 'log'> & {
  readonly settings: Settings;
  readonly members: Members;
  readonly games: Pick<Servers, 'statusOf'> & Pick<People, 'whitelist'>;
  readonly store: Store;
  readonly knownRoles: KnownRoles;
  /** Admins, by their Discord accounts. */
  readonly admins: DiscordMembersOptions['admins'];
}): DiscordPeople => {
  const roles = createDiscordRoles({
    db,
    roles: knownRoles,
    sold: store.deliveries.roles,
    isOnline: (serverId) => games.statusOf(serverId).state === 'online',
    order: games.whitelist,
    licenseHolds,
    isPaused: () => pauses.isPaused(deliveryQueue),
    language: async () => (await settings.values('general')).language,
    log,
  });
  store.news.on('rolesDue', roles.wake);
  store.news.on('rolesEnded', roles.reconsider);
  const guildMembers = createGuildMembers({ db, members: { openForAll, removeEmpty } });
  const people = createDiscordMembers({
    members,
    admins,
    forSale: (wanted) => readForSale(store, wanted),
    typedLink: async () => (await readChatRules(settings)).typed('link'),
    pictureOf: store.catalogue.picture,
    ledgerOf: store.points.ledger,
    orders: store.orders,
    deliveriesOf: (query) => readDeliveries(db, query),
  });
  return {
    roles,
    guildMembers,
    bind(routes) {
      bindDiscordMembersRoutes(routes, people);
      bindDiscordGuildRoutes(routes, { take: (report) => guildMembers.take(report).finally(roles.wake) });
      bindDiscordRolesRoutes(routes, roles);
    },
    begin: roles.begin,
    [Symbol.asyncDispose]: () => roles[Symbol.asyncDispose](),
  };
};
