import { chatTrustDiscordHttp, chatTrustHttp } from '#contracts/storefronts/chat-trust.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { ChatTrusts } from './chat-trust.ts';

/** @param memberOf the member of a Discord account; null: it has none */
export const bindChatTrustRoutes = (
  routes: ApiRoutes,
  trusts: ChatTrusts,
  memberOf: (discordId: string) => Promise<{ readonly id: string } | null>,
): void => {
  const own = async <Result>(discordId: string, act: (memberId: string) => Promise<Result | Refusal>) => {
    const member = await memberOf(discordId);
    return member ? act(member.id) : refuse('DISCORD_NOT_LINKED');
  };
  routes.on(chatTrustHttp.list, async () => ({ rows: await trusts.list() }));
  routes.on(chatTrustHttp.set, ({ params, body }, by) => trusts.set(params.id, body, by));
  routes.on(chatTrustHttp.newcomers, async ({ params }) => ({
    rows: await trusts.newcomers({ playerId: params.id }),
  }));
  routes.on(
    chatTrustHttp.confirm,
    async ({ params, body }, by) =>
      (await trusts.confirm({ playerId: params.id, serverId: body.serverId }, null, by)) ?? {},
  );
  routes.on(chatTrustDiscordHttp.newcomers, (_input, { actor }) =>
    own(actor.id, async (memberId) => ({ rows: await trusts.newcomers({ memberId }) })),
  );
  routes.on(chatTrustDiscordHttp.confirm, ({ body }, by) =>
    own(by.actor.id, async (memberId) => (await trusts.confirm(body, memberId, by)) ?? {}),
  );
};
