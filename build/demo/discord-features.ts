import { type ChatRelayDraft, discordChatHttp } from '#contracts/discord/discord-chat.ts';
import { discordEventsHttp } from '#contracts/discord/discord-events.ts';
import { discordStatusHttp } from '#contracts/discord/discord-status.ts';
import { signInToApi } from './api-caller.ts';
import type { DemoDiscord } from './discord.ts';
import type { DemoGameServer } from './games.ts';
import type { DemoStack } from './stack.ts';

type Api = Awaited<ReturnType<typeof signInToApi>>;

/** Makes the bot show all it can. Each start has a new simulated Discord, and what was set up before moves there. */
export const setUpDemoDiscord = async (options: {
  readonly stack: Pick<DemoStack, 'apiUrl' | 'admin'>;
  readonly servers: readonly DemoGameServer[];
  readonly discord: Pick<DemoDiscord, 'place'>;
}): Promise<void> => {
  const { stack, servers, discord } = options;
  const { chat, events, status } = discord.place.channelIds;
  const api = await signInToApi(stack);
  // Only a server with an agent has its chat read.
  const heard = servers.find(({ hasAgent }) => hasAgent);
  if (chat !== undefined && heard) await relayChat(api, heard.id, chat);
  if (events !== undefined) await postEvents(api, events);
  if (status !== undefined) for (const { id } of servers) await showStatus(api, id, status);
};

const relayChat = async (api: Api, serverId: string, channelId: string): Promise<void> => {
  const { relays } = await api.call(discordChatHttp.list);
  const earlier = relays.find((relay) => relay.serverId === serverId);
  const relay: ChatRelayDraft = {
    isEnabled: true,
    serverId,
    channelId,
    toDiscord: true,
    toGame: true,
    fromServers: false,
  };
  if (earlier)
    await api.callWith(discordChatHttp.change, { id: earlier.id }, { ...relay, version: earlier.version });
  else await api.call(discordChatHttp.create, relay);
};

const postEvents = async (api: Api, channelId: string): Promise<void> => {
  const { rules } = await api.call(discordEventsHttp.list);
  const [earlier] = rules;
  const rule = {
    isEnabled: true,
    channelId,
    kinds: ['player.joined' as const, 'player.left' as const, 'server.unreachable' as const],
    severities: [],
    serverIds: [],
    roleId: null,
  };
  if (earlier)
    await api.callWith(discordEventsHttp.change, { id: earlier.id }, { ...rule, version: earlier.version });
  else await api.call(discordEventsHttp.create, rule);
};

const showStatus = async (api: Api, serverId: string, channelId: string): Promise<void> => {
  const { messages } = await api.call(discordStatusHttp.list);
  const earlier = messages.find(({ target }) => target.id === serverId);
  const message = {
    isEnabled: true,
    channelId,
    target: { kind: 'server' as const, id: serverId },
    showsNames: true,
    joins: [{ serverId, address: 'play.example.org', map: '' }],
  };
  if (earlier)
    await api.callWith(
      discordStatusHttp.change,
      { id: earlier.id },
      { ...message, version: earlier.version },
    );
  else await api.call(discordStatusHttp.create, message);
};
