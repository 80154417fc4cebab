import { discordStatusBotHttp, discordStatusHttp } from '#contracts/discord/discord-status.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { Settings } from '../../operations/settings.ts';
import type { KeptMessages } from './kept-messages.ts';
import {
  changeStatusMessage,
  createStatusMessage,
  listStatusMessages,
  removeStatusMessage,
  type StatusContext,
} from './status-messages.ts';

export const bindDiscordStatusRoutes = (
  routes: ApiRoutes,
  context: StatusContext & {
    readonly kept: KeptMessages;
    readonly settings: Pick<Settings, 'values' | 'saved'>;
  },
): void => {
  const { db, guild, kept, settings } = context;

  routes.on(discordStatusHttp.list, async () => ({ messages: await listStatusMessages(context) }));
  routes.on(discordStatusHttp.create, ({ body }, by) => createStatusMessage(context, body, by));
  routes.on(discordStatusHttp.change, ({ params, body }, by) =>
    changeStatusMessage(context, params.id, body, by),
  );
  routes.on(
    discordStatusHttp.remove,
    async ({ params }, by) => (await removeStatusMessage(db, params.id, by)) ?? {},
  );

  routes.on(discordStatusBotHttp.take, async ({ body }) => {
    const known = guild();
    const isHere = known?.guildId === body.guildId;
    const { language } = await settings.values('general');
    if (!known || !isHere) return { language, messages: [], removed: [] };
    const taken = await kept.take(known);
    const { communityName: community } = await settings.saved('general');
    return {
      language,
      ...taken,
      messages: taken.messages.map((message) =>
        community === undefined || message.board === null
          ? message
          : { ...message, board: { ...message.board, community } },
      ),
    };
  });
  routes.on(discordStatusBotHttp.settle, async ({ params, body }) => {
    await kept.settle(params.id, body);
    return {};
  });
  routes.on(discordStatusBotHttp.settleRemoved, async ({ params }) => {
    await kept.settleRemoved(params.id);
    return {};
  });
};
