import { once } from 'node:events';
import { type Client, type ClientOptions, Events, GatewayIntentBits, type TextChannel } from 'discord.js';
import { DiscordClient } from '../../../bot/discord-client.ts';
import { type Discord, usualBot } from './discord.ts';

export const usualIntents = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMembers,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.MessageContent,
];

export interface SignedIn extends AsyncDisposable {
  readonly client: Client<true>;
  text(channelId: string): TextChannel;
}

/** The real discord.js, connected to the simulated Discord. */
export const makeClient = (discord: Discord, options: Partial<ClientOptions> = {}): DiscordClient => {
  return new DiscordClient({ intents: usualIntents, urls: discord.urls, ...options });
};

export const signIn = async (discord: Discord, options: Partial<ClientOptions> = {}): Promise<SignedIn> => {
  const client = makeClient(discord, options);
  const ready = once(client, Events.ClientReady);
  await client.login(usualBot.token);
  await ready;
  return {
    client: client as Client<true>,
    text: (channelId) => client.channels.cache.get(channelId) as TextChannel,
    [Symbol.asyncDispose]: () => client.destroy(),
  };
};
