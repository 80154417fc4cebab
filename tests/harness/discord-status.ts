import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import {
  discordStatusHttp,
  type NewStatusMessage,
  type StatusMessage,
} from '#contracts/discord/discord-status.ts';
import { eventually } from '#harness/eventually.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { type Discord, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { noFaults, type RestRequest } from '#simulators/discord/faults.ts';
import type { People } from '#simulators/discord/people.ts';
import { makeClient } from '#simulators/discord/signed-in.ts';
import type { Channel, StoredMessage } from '#simulators/discord/state.ts';
import { type ApiClient, ApiFault, createApiClient } from '../../bot/api-client.ts';
import { eventPoster } from '../../bot/events/event-poster.ts';
import { runGuildFeatures } from '../../bot/guild-features.ts';
import { statusKeeper } from '../../bot/status/status-keeper.ts';
import { apiForThisFile } from '../../server/kernel/testing/api-of-a-test.ts';
import { call, newCluster, newServer } from '../../server/kernel/testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../../server/kernel/testing/test-api.ts';
import { startMinecraft } from '../simulators/minecraft-simulator.ts';

/** The API, the simulated Discord and the bot, for the tests of one file. */

export const patientMs = 60_000;
export const hourMs = 3_600_000;
const guildId = '222222222222222222';
export let running: ReturnType<typeof apiForThisFile>;
export const asOwner = { as: testDesktopCredential };

export let discord: Discord;
/** How far Discord's clock is ahead. */
let aheadMs = 0;
export let people: People;
export let channel: Channel;
export let game: Awaited<ReturnType<typeof startMinecraft>>;
let serverId: string;
export let clusterId: string;
let isApiAway = false;
let bot: AsyncDisposableStack;
let channels = 0;

/** Opens it for the tests of the calling file. */
export const discordStatusForThisFile = (): void => {
  running = apiForThisFile({ pollingIntervalMs: 200 });
  beforeAll(async () => {
    discord = await startDiscord({ settings: { identifyWindowMs: 0 }, now: () => Date.now() + aheadMs });
    people = discord.addGuild('The Keep', { id: guildId });
    game = await startMinecraft();
    const { port } = running();
    clusterId = await newCluster(port);
    const { password } = game;
    serverId = await newServer(port, {
      name: 'Isl*nd',
      clusterId,
      host: '127.0.0.1',
      port: game.port,
      password,
    });
    await startBot();
  });
  afterAll(async () => {
    await stopBot();
    await game[Symbol.asyncDispose]();
    await discord[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    channels += 1;
    channel = people.createChannel(`status-${channels}`);
  });
  afterEach(async () => {
    Object.assign(discord.faults, noFaults());
    isApiAway = false;
    for (const { id } of await kept())
      await call(running().port, discordStatusHttp.remove, { ...asOwner, params: { id } });
  });
};

export const setApiAway = (isAway: boolean) => {
  isApiAway = isAway;
};
/** Moves Discord's clock only. */
export const skipMs = (ms: number) => {
  aheadMs += ms;
};
/** A client for the API that can be made to fail. */
const reachable = (): ApiClient => {
  const api = createApiClient(`http://127.0.0.1:${running().port}`, new Secret(testBotSecret));
  return {
    call(endpoint, input, options) {
      if (isApiAway) return Promise.reject(new ApiFault('the API does not answer'));
      return api.call(endpoint, input, options);
    },
  };
};
const openBot = async ({ awayAfterMs = 60_000 } = {}): Promise<AsyncDisposableStack> => {
  const resources = new AsyncDisposableStack();
  const client = makeClient(discord);
  resources.defer(() => client.destroy());
  resources.use(
    runGuildFeatures({
      client,
      guildId,
      features: [eventPoster, statusKeeper({ pollMs: 100, betweenEditsMs: 300, awayAfterMs, retryMs: 100 })],
      api: reachable(),
      log: createLog({ component: 'bot', level: 'silent' }),
    }),
  );
  await client.login(usualBot.token);
  return resources;
};
/** Stops the previous bot, then starts a new one. */
export const startBot = async (options: Parameters<typeof openBot>[0] = {}) => {
  bot = await openBot(options);
};
export const stopBot = () => bot.disposeAsync();
/** For the API and Discord, the bot ends abruptly. */
export const restartBot = async () => {
  await stopBot();
  await startBot();
};

export const kept = async (): Promise<StatusMessage[]> =>
  (await call(running().port, discordStatusHttp.list, asOwner)).json.messages as StatusMessage[];
export const only = async (): Promise<StatusMessage> => {
  const [message] = await kept();
  if (!message) throw new Error('there is no status message');
  return message;
};
export const create = async (more: Partial<NewStatusMessage> = {}): Promise<StatusMessage> => {
  const body: NewStatusMessage = {
    isEnabled: true,
    channelId: channel.id,
    target: { kind: 'server', id: serverId },
    showsNames: true,
    joins: [{ serverId, address: 'play.example.org', map: 'The_Isle' }],
    ...more,
  };
  const { status, text, json } = await call(running().port, discordStatusHttp.create, { ...asOwner, body });
  expect(status, text).toBe(200);
  return json as unknown as StatusMessage;
};
export const change = async (edit: Partial<NewStatusMessage>) => {
  const { id, version } = await only();
  const body = { version, ...edit };
  const answer = await call(running().port, discordStatusHttp.change, { ...asOwner, params: { id }, body });
  expect(answer.status, answer.text).toBe(200);
};

export const messages = (where = channel) => [...where.messages.values()];
export const sole = (where = channel): StoredMessage => {
  const [stored, ...others] = messages(where);
  if (!stored || others.length > 0) throw new Error(`${others.length + (stored ? 1 : 0)} messages`);
  return stored;
};
export const textOf = ({ message }: StoredMessage): string =>
  JSON.stringify(message.embeds).replaceAll(String.raw`\\`, '\\');
export const shows = (part: string | RegExp, where = channel) =>
  eventually(() => expect(textOf(sole(where))).toMatch(part), patientMs);
/** Resolves when the API knows what Discord shows. */
export const isConfirmed = () =>
  eventually(async () => expect((await only()).shownAt).toEqual(expect.any(String)), patientMs);
export const postedInto = (where: Channel) =>
  discord.state.posted.filter(({ message }) => message.channel_id === where.id);
export const of =
  (method: string) =>
  ({ method: asked, path }: RestRequest): boolean =>
    asked === method && path.startsWith(`/channels/${channel.id}/messages`);
export const requestsOf = (method: string) =>
  discord.requests.filter((request) => of(method)({ ...request, body: null })).length;
