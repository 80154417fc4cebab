import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import {
  type ChatRelay,
  type ChatRelayDraft,
  type ChatRelayObstacle,
  discordChatHttp,
} from '#contracts/discord/discord-chat.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { eventually } from '#harness/eventually.ts';
import { tenth } from '#harness/tenth.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { type Discord, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { noFaults, type RestRequest } from '#simulators/discord/faults.ts';
import type { People } from '#simulators/discord/people.ts';
import { makeClient } from '#simulators/discord/signed-in.ts';
import type { Channel, Member } from '#simulators/discord/state.ts';
import { type SevenDaysSimulator, startSevenDays } from '#simulators/seven-days-simulator.ts';
import { type ApiClient, createApiClient } from '../../bot/api-client.ts';
import { botFeatures } from '../../bot/bot-features.ts';
import { runGuildFeatures } from '../../bot/guild-features.ts';
import { apiForThisFile } from '../../server/kernel/testing/api-of-a-test.ts';
import { call, newServer } from '../../server/kernel/testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../../server/kernel/testing/test-api.ts';

/** Allows for a machine under load, and for transactions of other tests that hold back the feed of events. */
export const patientMs = 60_000;
export const guildId = '222222222222222222';
export let running: ReturnType<typeof apiForThisFile>;
export const asOwner = { as: testDesktopCredential };
let resources: AsyncDisposableStack;

export interface GameOfATest {
  readonly id: string;
  readonly name: string;
  readonly game: SevenDaysSimulator;
}

export let discord: Discord;
export let people: People;
export let ada: Member;
export let channel: Channel;
let bot: AsyncDisposable;
export let fjord: GameOfATest;
export let tundra: GameOfATest;
let channels = 0;
/** Everything that the bot has logged. */
export let logged = '';

const newGame = async (clusterId: string, name: string): Promise<GameOfATest> => {
  const game = resources.use(await startSevenDays());
  const { port, password } = game;
  const way = { host: '127.0.0.1', port, password };
  const id = await newServer(running().port, { clusterId, name, game: 'seven-days-to-die', ...way });
  return { id, name, game };
};
export const usualApi = () =>
  createApiClient(`http://127.0.0.1:${running().port}`, new Secret(testBotSecret));
const openBot = async (api: ApiClient = usualApi()): Promise<AsyncDisposable> => {
  await using starting = new AsyncDisposableStack();
  const client = makeClient(discord);
  starting.defer(() => client.destroy());
  starting.use(
    runGuildFeatures({
      client,
      guildId,
      features: botFeatures,
      interval: tenth,
      api,
      log: createLog({
        component: 'bot',
        level: 'trace',
        destination: {
          write(line: string) {
            logged += line;
          },
        },
      }),
    }),
  );
  await client.login(usualBot.token);
  return starting.move();
};

/** Stops the previous bot, then starts a new one. */
export const startBot = async (api: ApiClient = usualApi()) => {
  bot = await openBot(api);
};
export const stopBot = () => bot[Symbol.asyncDispose]();

/** Opens it for the tests of the calling file. */
export const discordChatForThisFile = (): void => {
  running = apiForThisFile({ pollingIntervalMs: 200 });
  resources = new AsyncDisposableStack();
  logged = '';
  beforeAll(async () => {
    discord = resources.use(await startDiscord({ settings: { identifyWindowMs: 0 } }));
    people = discord.addGuild('The Keep', { id: guildId });
    ada = people.join('Ada');
    Object.assign(ada.user, { avatar: '0123456789abcdef0123456789abcdef' });
    const cluster = await call(running().port, clustersHttp.create, { ...asOwner, body: { name: 'Games' } });
    fjord = await newGame(String(cluster.json.id), 'Fjord');
    tundra = await newGame(String(cluster.json.id), 'Tundra');
    for (const { game } of [fjord, tundra])
      for (const name of ['Otter', 'Discordia', 'Bob']) game.world.join(name);
    await startBot();
  });
  afterAll(async () => {
    await stopBot();
    await resources.disposeAsync();
  });
  beforeEach(async () => {
    Object.assign(discord.faults, noFaults());
    channels += 1;
    channel = people.createChannel(`chat-${channels}`);
    for (const { id } of await relays())
      await call(running().port, discordChatHttp.remove, { ...asOwner, params: { id } });
    await filter([]);
  });
};

const list = async () => (await call(running().port, discordChatHttp.list, asOwner)).json;
export const relays = async (): Promise<ChatRelay[]> => (await list()).relays as ChatRelay[];
export const filter = async (words: string[]) => {
  const { version } = (await list()).filter as { version: number };
  const body = { version, words, treatment: 'mask' as const };
  const { status, text } = await call(running().port, discordChatHttp.changeFilter, { ...asOwner, body });
  expect(status, text).toBe(200);
};
export const withObstacles = (...obstacles: ChatRelayObstacle[]) =>
  eventually(async () => {
    const all = await relays();
    for (const relay of all) expect(relay.obstacles).toEqual(obstacles);
  }, patientMs);
/** Creates a relay, by default in both directions, and waits until it has no obstacle and the bot receives the channel's messages. */
export const relay = async (
  { id: serverId }: GameOfATest,
  more: Partial<ChatRelayDraft> = {},
): Promise<void> => {
  const body = {
    isEnabled: true,
    serverId,
    channelId: channel.id,
    toDiscord: true,
    toGame: true,
    fromServers: false,
    ...more,
  };
  const { status, text } = await call(running().port, discordChatHttp.create, { ...asOwner, body });
  expect(status, text).toBe(200);
  // The bot reports on the channels that it was told about.
  const { channels: known } = running().api.context.discord.chatRelay;
  await eventually(() => expect(known.read()?.has(channel.id)).toBe(true), patientMs);
  await withObstacles();
};
export const posts = () => [...channel.messages.values()].filter(({ message }) => message.webhook_id);
export const shown = () =>
  posts().map(
    ({ message }) => `${message.author.username}: ${message.content.replaceAll(/[\u2066-\u2069\\]/g, '')}`,
  );
export const saidIn = ({ game }: GameOfATest): string[] =>
  game.world.messages
    .filter(({ to, text }) => to === null && text.startsWith('[Discord] Ada'))
    .map(({ text }) => text);
export const say = ({ game }: GameOfATest, text: string, name = 'Otter') => game.world.chat(name, text);
export const isPost = ({ method, path }: RestRequest) =>
  method === 'POST' && /^\/webhooks\/\d+\/[^/]+$/.test(path);
export const webhooks = () =>
  [...discord.state.webhooks.values()].filter(({ channel_id }) => channel_id === channel.id);
