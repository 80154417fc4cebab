import { type ChatRelayDraft, discordChatHttp } from '#contracts/discord-chat.ts';
import { signInToApi } from './api-caller.ts';
import type { DemoDiscord } from './discord.ts';
import type { DemoGameServer } from './games.ts';
import type { DemoStack } from './stack.ts';

export interface DemoChatOptions {
  readonly stack: Pick<DemoStack, 'apiUrl' | 'admin'>;
  readonly servers: readonly DemoGameServer[];
  readonly discord: Pick<DemoDiscord, 'place'>;
}

/** Relays the chat of the game with an agent, which hears it. The simulated Discord is another one with each start. */
export const relayDemoChat = async ({ stack, servers, discord }: DemoChatOptions): Promise<void> => {
  const server = servers.find(({ hasAgent }) => hasAgent);
  const channelId = discord.place.channelIds.chat;
  if (!server || channelId === undefined) return;
  const api = await signInToApi(stack);
  const { relays } = await api.call(discordChatHttp.list);
  const earlier = relays.find(({ serverId }) => serverId === server.id);
  const relay: ChatRelayDraft = {
    isEnabled: true,
    serverId: server.id,
    channelId,
    toDiscord: true,
    toGame: true,
    fromServers: false,
  };
  if (earlier) {
    const body = { ...relay, version: earlier.version };
    await api.callWith(discordChatHttp.change, { id: earlier.id }, body);
  } else await api.call(discordChatHttp.create, relay);
};
