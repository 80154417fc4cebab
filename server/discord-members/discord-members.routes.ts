import { discordUsersHttp } from '#contracts/discord-users.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import { demandGranted } from '../http/refusal.ts';
import type { DiscordMembers } from './discord-members.ts';

export const bindDiscordMembersRoutes = (routes: ApiRoutes, people: DiscordMembers): void => {
  routes.on(discordUsersHttp.me, (_input, { actor }) => people.me(actor));
  routes.on(discordUsersHttp.linkCode, async (_input, by) => demandGranted(await people.linkCode(by)));
  routes.on(discordUsersHttp.link, async ({ body }, by) => demandGranted(await people.link(body, by)));
  routes.on(discordUsersHttp.unlink, (_input, by) => people.unlink(by));
  routes.on(discordUsersHttp.ledger, async ({ query }, { actor }) =>
    demandGranted(await people.ledger(actor, query)),
  );
  routes.on(discordUsersHttp.products, ({ query }) => people.products(query));
  routes.on(discordUsersHttp.picture, async ({ params }) => demandGranted(await people.picture(params.id)));
  routes.on(discordUsersHttp.preview, async ({ body }, { actor }) =>
    demandGranted(await people.preview(body, actor)),
  );
  routes.on(discordUsersHttp.order, async ({ body }, by) =>
    demandGranted(await people.order(body, readIdempotencyKey(by.request.headers), by)),
  );
  routes.on(discordUsersHttp.deliveries, async ({ query }, { actor }) =>
    demandGranted(await people.deliveries(actor, query)),
  );
};
