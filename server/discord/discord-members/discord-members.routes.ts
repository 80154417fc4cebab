import { discordUsersHttp } from '#contracts/discord/discord-users.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { readIdempotencyKey } from '../../kernel/http/idempotency-key.ts';
import type { DiscordMembers } from './discord-members.ts';

export const bindDiscordMembersRoutes = (routes: ApiRoutes, people: DiscordMembers): void => {
  routes.on(discordUsersHttp.me, (_input, { actor }) => people.me(actor));
  routes.on(discordUsersHttp.linkCode, (_input, by) => people.linkCode(by));
  routes.on(discordUsersHttp.link, ({ body }, by) => people.link(body, by));
  routes.on(discordUsersHttp.unlink, (_input, by) => people.unlink(by));
  routes.on(discordUsersHttp.ledger, ({ query }, { actor }) => people.ledger(actor, query));
  routes.on(discordUsersHttp.products, ({ query }) => people.products(query));
  routes.on(discordUsersHttp.picture, ({ params }) => people.picture(params.id));
  routes.on(discordUsersHttp.preview, ({ body }, { actor }) => people.preview(body, actor));
  routes.on(discordUsersHttp.order, ({ body }, by) =>
    people.order(body, readIdempotencyKey(by.request.headers), by),
  );
  routes.on(discordUsersHttp.deliveries, ({ query }, { actor }) => people.deliveries(actor, query));
};
