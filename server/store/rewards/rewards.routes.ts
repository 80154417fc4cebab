import type { MemberDetails } from '#contracts/people/members.ts';
import { rewardsDiscordHttp, rewardsHttp } from '#contracts/store/rewards.ts';
import { may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { refuseWithoutStepUp } from '../../kernel/access/step-up.ts';
import { readIdempotencyKey } from '../../kernel/http/idempotency-key.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { Rewards } from './rewards.ts';

export const bindRewardsRoutes = (routes: ApiRoutes, rewards: Rewards): void => {
  const { rules, batches } = rewards;
  routes.on(rewardsHttp.rules, async () => ({
    rules: await rules.list(),
    timeZone: await rewards.timeZone(),
  }));
  routes.on(rewardsHttp.createRule, ({ body }, by) => rules.create(body, by));
  routes.on(rewardsHttp.changeRule, ({ params, body }, by) => rules.change(params.id, body, by));
  routes.on(
    rewardsHttp.archiveRule,
    async ({ params, body }, by) => (await rules.archive(params.id, body.version, by)) ?? {},
  );
  routes.on(rewardsHttp.batches, ({ query }) => batches.list(query));
  routes.on(rewardsHttp.createBatch, ({ body }, by) => batches.create(body, by));
  routes.on(
    rewardsHttp.switchBatch,
    ({ params, body }, by) =>
      // Codes that are switched on give points as new ones do.
      (body.isEnabled ? refuseWithoutStepUp(by.actor) : null) ?? batches.switch(params.id, body, by),
  );
  routes.on(rewardsHttp.codes, ({ params, query }, { actor }) =>
    batches.codes(params.id, query, may(actor, 'rewards.write')),
  );
  routes.on(rewardsHttp.exportCodes, ({ params }, by) => batches.export(params.id, by));
  routes.on(rewardsHttp.redeem, ({ params, body }, by) => rewards.redeem(params.id, body.code, by));
  bindDiscordRoutes(routes, rewards);
};

const bindDiscordRoutes = (routes: ApiRoutes, rewards: Rewards): void => {
  const { gifts, linked } = rewards;
  const asMember = async <Result>(
    { actor }: AuditContext,
    act: (member: MemberDetails) => Promise<Result | Refusal>,
  ): Promise<Result | Refusal> => {
    const member = await linked(actor.id);
    return member ? act(member) : refuse('DISCORD_NOT_LINKED');
  };
  routes.on(rewardsDiscordHttp.daily, (_input, by) => asMember(by, ({ id }) => rewards.claimDaily(id, by)));
  routes.on(rewardsDiscordHttp.redeem, ({ body }, by) =>
    asMember(by, ({ id }) =>
      rewards.redeem(id, body.code, by, { key: readIdempotencyKey(by.request.headers) }),
    ),
  );
  routes.on(rewardsDiscordHttp.offerGift, ({ body }, by) =>
    asMember(by, async ({ id }) => {
      const receiver = await linked(body.receiverId);
      if (!receiver) return refuse('RECEIVER_NOT_LINKED');
      return gifts.offer({ fromMember: id, toMember: receiver.id, points: body.points });
    }),
  );
  routes.on(rewardsDiscordHttp.confirmGift, ({ params }, by) =>
    asMember(by, ({ id }) => gifts.confirm(params.id, id, by)),
  );
};
