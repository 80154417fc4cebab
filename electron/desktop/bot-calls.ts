import { discordTokenField } from '#contracts/discord-application.ts';
import { leaveDiscordHandover } from '#runtime/discord/discord-handover.ts';
import { StartupError } from '#runtime/program.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { type EnvStack, writeEnv } from '../network/change-env.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';
import { servicesWords } from './network-calls.ts';

export interface BotOptions {
  readonly home: string;
  readonly stack: EnvStack;
  readonly isService: () => boolean;
}

export type BotHandlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `bot.${string}`>>;

/** Moves what earlier versions wrote into `.env` to where the panel can change it. */
export const botCalls = ({ home, stack, isService }: BotOptions): BotHandlers => ({
  async 'bot.moveFromEnv'() {
    if (isService()) throw new StartupError(servicesWords);
    const config = await readStackConfig(home);
    const { discordBotToken, clientId, guildId } = config;
    if (discordBotToken && !discordTokenField.safeParse(discordBotToken.reveal()).success)
      throw new StartupError(
        'DISCORD_BOT_TOKEN in .env is not a token. Correct or remove that line by hand.',
      );
    await leaveDiscordHandover(home, config.configEncryptionKey, {
      ...(discordBotToken && { token: discordBotToken.reveal() }),
      ...(clientId !== undefined && { clientId }),
      ...(guildId !== undefined && { guildId }),
    });
    await writeEnv(home, { DISCORD_BOT_TOKEN: null, CLIENT_ID: null, GUILD_ID: null });
    if (['stopped', 'stopping'].includes(stack.status().state)) return {};
    // The bot first: its old settings must no longer win when the API reads the handover.
    await stack.restart('bot');
    await stack.restart('api');
    return {};
  },
});
