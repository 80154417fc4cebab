import { botHttp } from '#contracts/discord/bot.ts';
import { discordHttp } from '#contracts/discord/discord.ts';
import { checkDiscord } from '#runtime/discord/check-discord.ts';
import { Problem } from '#runtime/problem.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Discord } from './discord.ts';
import { saveDiscord } from './discord-settings.ts';

export const bindDiscordRoutes = (
  routes: ApiRoutes,
  discord: Discord,
  context: Pick<Kernel, 'config'> & Parameters<typeof saveDiscord>[0],
): void => {
  routes.on(discordHttp.read, () => discord.describe());
  routes.on(discordHttp.change, async ({ body: { version, ...change } }, by) =>
    discord.describe(demandGranted(await saveDiscord(context, version, change, by))),
  );
  routes.on(discordHttp.test, async ({ body }) => {
    const token = body.token ?? (await discord.tokenInUse())?.reveal();
    if (token === undefined)
      throw new Problem('INVALID_REQUEST', {
        detail: 'There is no token to test yet.',
        extensions: {
          errors: [{ path: 'body.token', message: 'must be a token, as none is in use', code: 'missing' }],
        },
      });
    return checkDiscord({ ...body, token }, { apiUrl: context.config.discordApiUrl });
  });
  routes.on(discordHttp.retry, () => {
    discord.retry();
    return {};
  });
  routes.on(botHttp.settings, () => discord.forBot());
};
