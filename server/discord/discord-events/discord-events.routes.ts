import type { Kysely } from 'kysely';
import type { TestPost, TestPostOutcome } from '#contracts/discord/discord-events.ts';
import { discordEventsBotHttp, discordEventsHttp, guildObstacle } from '#contracts/discord/discord-events.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { Settings } from '../../operations/settings.ts';
import type { DiscordEvents } from './discord-events.ts';
import { changeEventRule, createEventRule, listEventRules, removeEventRule } from './event-rules.ts';

export const bindDiscordEventsRoutes = (
  routes: ApiRoutes,
  context: DiscordEvents & {
    readonly db: Kysely<Tables>;
    readonly settings: Pick<Settings, 'values' | 'saved'>;
  },
): void => {
  const { db, settings, guild, batches, testPosts } = context;

  routes.on(discordEventsHttp.list, async () => ({
    rules: await listEventRules(context),
    guild: guild.current(),
  }));
  routes.on(discordEventsHttp.create, ({ body }, by) => createEventRule(context, body, by));
  // Before the routes with an id.
  routes.on(discordEventsHttp.test, async ({ body }) => ({ outcome: await tryPost(context, body) }));
  routes.on(discordEventsHttp.change, ({ params, body }, by) =>
    changeEventRule(context, params.id, body, by),
  );
  routes.on(
    discordEventsHttp.remove,
    async ({ params }, by) => (await removeEventRule(db, params.id, by)) ?? {},
  );

  routes.on(discordEventsBotHttp.reportGuild, ({ body }) => {
    guild.report(body);
    return {};
  });
  routes.on(discordEventsBotHttp.take, async ({ body }) => {
    const known = guild.hear(body.guildId);
    const { communityName: community } = await settings.saved('general');
    const from = community === undefined ? {} : { community };
    const taken = known ? await batches.take(known, body.inProgress, body.resting) : [];
    return {
      isGuildKnown: known !== null,
      language: (await settings.values('general')).language,
      batches: taken.map((batch) => ({ ...batch, ...from })),
      tests: testPosts.take().map((test) => ({ ...test, ...from })),
    };
  });
  routes.on(discordEventsBotHttp.settle, async ({ params, body }) => {
    await batches.settle(params.id, body.outcome);
    return {};
  });
  routes.on(discordEventsBotHttp.settleTest, ({ params, body }) => {
    testPosts.settle(params.id, body.outcome);
    return {};
  });
};

const tryPost = async (
  { guild, testPosts }: Pick<DiscordEvents, 'guild' | 'testPosts'>,
  asked: TestPost,
): Promise<TestPostOutcome> => {
  const known = guild.current();
  const obstacle = guildObstacle(known);
  if (obstacle !== null) return obstacle;
  const channel = known?.channels.find(({ id }) => id === asked.channelId);
  if (!channel) return 'channel-unknown';
  if (channel.missing.length > 0) return 'permissions-missing';
  return testPosts.post(asked);
};
