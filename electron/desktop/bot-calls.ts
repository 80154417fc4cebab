import type { BotAsked, BotState } from '#contracts/desktop-network.ts';
import { StartupError } from '#runtime/program.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { checkDiscord } from '../first-start/discord-check.ts';
import { type EnvStack, writeEnv } from '../network/change-env.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';
import { servicesWords } from './network-calls.ts';

export interface BotOptions {
  readonly home: string;
  readonly stack: EnvStack;
  readonly isService: () => boolean;
  readonly discordApiUrl: string | undefined;
}

export type BotHandlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `bot.${string}`>>;

/** The bot's place in Discord. Its token goes into `.env` and never out of it. */
export const botCalls = ({ home, stack, isService, discordApiUrl }: BotOptions): BotHandlers => {
  const state = async (): Promise<BotState> => {
    const { discordBotToken, clientId = '', guildId = '' } = await readStackConfig(home);
    return { hasToken: discordBotToken !== undefined, clientId, guildId, isService: isService() };
  };
  const tokenOf = async ({ token }: BotAsked): Promise<string> => {
    const known = token ?? (await readStackConfig(home)).discordBotToken?.reveal();
    if (known === undefined) throw new StartupError('There is no token yet.');
    return known;
  };
  const write = async (token: string | null, clientId: string, guildId: string): Promise<BotState> => {
    if (isService()) throw new StartupError(servicesWords);
    await writeEnv(home, {
      DISCORD_BOT_TOKEN: token,
      CLIENT_ID: clientId || null,
      GUILD_ID: guildId || null,
    });
    // It reads its settings when it starts; what somebody has stopped is not started over this.
    if (!['stopped', 'stopping'].includes(stack.status().state)) await stack.restart('bot');
    return state();
  };
  return {
    'bot.state': state,
    async 'bot.test'(asked) {
      const { clientId, guildId } = asked;
      return checkDiscord({ token: await tokenOf(asked), clientId, guildId }, { apiUrl: discordApiUrl });
    },
    'bot.change': async (asked) => write(await tokenOf(asked), asked.clientId, asked.guildId),
    async 'bot.clear'() {
      const { clientId, guildId } = await state();
      return write(null, clientId, guildId);
    },
  };
};
