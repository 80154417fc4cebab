import type { APIEmbed } from 'discord.js';
import { afterAll, beforeAll, expect } from 'vitest';
import type { EndpointBody } from '#contracts/kernel/http.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { eventually } from '#harness/eventually.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { type Discord, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import type { Interaction } from '#simulators/discord/interactions.ts';
import type { People } from '#simulators/discord/people.ts';
import { makeClient } from '#simulators/discord/signed-in.ts';
import type { Channel, Member, StoredMessage } from '#simulators/discord/state.ts';
import { apiForThisFile } from '../../../server/kernel/testing/api-of-a-test.ts';
import { call } from '../../../server/kernel/testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../../../server/kernel/testing/test-api.ts';
import { type ApiClient, createApiClient } from '../../api-client.ts';
import { runGuildFeatures } from '../../guild-features.ts';
import { answerCommands } from '../answer-commands.ts';
import { botCommands } from '../commands.ts';

export interface BotOfATest {
  readonly discord: Discord;
  readonly people: People;
  readonly channel: Channel;
  readonly port: number;
  readonly context: ReturnType<ReturnType<typeof apiForThisFile>>['api']['context'];
  /** How the bot reaches the API from now on; null: the usual way. */
  reachApiBy(client: ApiClient | null): void;
  readonly apiClient: ApiClient;
  /** Another session of the bot, as after a restart. */
  restart(): Promise<void>;
  /** A person in Discord who is linked to a player with this many points. */
  linked(name: string, points: number): Promise<Member & { readonly memberId: string }>;
  newProduct(draft?: Partial<EndpointBody<(typeof storeHttp)['create']>>): Promise<string>;
  balance(memberId: string): Promise<number>;
}

/** A machine under load is slow. */
const patienceMs = 50_000;

/** The bot's commands with the real discord.js, a stand-in for Discord, and the API on a Postgres. */
export const botForThisFile = (): (() => BotOfATest) => {
  const running = apiForThisFile();
  let bot: BotOfATest | null = null;
  const owned = new AsyncDisposableStack();

  beforeAll(async () => {
    const { port, api } = running();
    const as = testDesktopCredential;
    // These tests are not about time: a machine under load may take longer than a person would wait.
    const settings = { identifyWindowMs: 0, interactionDeadlineMs: 120_000 };
    const discord = owned.use(await startDiscord({ settings }));
    const people = discord.addGuild('The Keep', { channels: ['general'] });
    const usual = createApiClient(`http://127.0.0.1:${port}`, new Secret(testBotSecret));
    let current: ApiClient = usual;
    const apiClient: ApiClient = {
      call: (endpoint, input, options) =>
        current.call(endpoint, input, { deadlineMs: patienceMs, ...options }),
    };
    let session: AsyncDisposable | null = null;
    const start = async () => {
      const own = new AsyncDisposableStack();
      const client = makeClient(discord);
      own.defer(() => client.destroy());
      own.use(
        runGuildFeatures({
          client,
          guildId: people.guild.id,
          features: [answerCommands],
          api: apiClient,
          log: createLog({ component: 'bot', level: 'silent' }),
        }),
      );
      await client.login(usualBot.token);
      await eventually(() => expect(client.listenerCount('interactionCreate')).toBe(1), patienceMs);
      await eventually(
        () => expect(discord.state.commands.get(people.guild.id)).toHaveLength(botCommands.length),
        patienceMs,
      );
      session = own;
    };
    await start();
    owned.defer(async () => session?.[Symbol.asyncDispose]());

    let made = 0;
    bot = {
      discord,
      people,
      channel: people.channelNamed('general'),
      port,
      context: api.context,
      apiClient: usual,
      reachApiBy(client) {
        current = client ?? usual;
      },
      async restart() {
        await session?.[Symbol.asyncDispose]();
        await start();
      },
      async linked(name, points) {
        made += 1;
        const person = people.join(name);
        const identity = `minecraft:bot${made}`;
        const { db } = api.context.database;
        const { id } = await db
          .insertInto('players')
          .values({
            identity,
            platform_id: identity,
            game: 'minecraft',
            name,
            name_key: name.toLowerCase(),
          } as never)
          .returning('id')
          .executeTakeFirstOrThrow();
        const { json } = await call(port, membersHttp.ofPlayer, { as, params: { id } });
        const memberId = String(json.id);
        await db
          .updateTable('members')
          .set({ discord_id: person.user.id })
          .where('id', '=', memberId)
          .execute();
        if (points > 0)
          await call(port, membersHttp.grant, {
            as,
            params: { id: memberId },
            body: { kind: 'grant', points },
          });
        return Object.assign(person, { memberId });
      },
      async newProduct(draft = {}) {
        const { status, json, text } = await call(port, storeHttp.create, {
          as,
          body: {
            name: 'Diamonds',
            price: 10,
            game: 'minecraft',
            isEnabled: true,
            lines: [{ kind: 'item', item: 'minecraft:diamond', quantity: 3 }],
            ...draft,
          },
        });
        if (status !== 200) throw new Error(text);
        return String(json.id);
      },
      async balance(memberId) {
        return Number((await call(port, membersHttp.read, { as, params: { id: memberId } })).json.balance);
      },
    };
  });
  afterAll(() => owned.disposeAsync());
  return () => {
    if (!bot) throw new Error('the bot of this test is not up');
    return bot;
  };
};

/** All that a person reads in an answer. */
export const textOf = ({ message }: StoredMessage): string =>
  [
    message.content,
    ...message.embeds.flatMap(({ title, description, footer }: APIEmbed) => [
      title,
      description,
      footer?.text,
    ]),
  ]
    .filter((part) => part)
    .join('\n');

/** The answer, once it is there. */
export const answerTo = async (interaction: Interaction): Promise<StoredMessage> => {
  const message = await interaction.message;
  if (!message) throw new Error('there was no answer');
  return message;
};

interface Pressable {
  readonly custom_id?: string;
  readonly label?: string;
  readonly disabled?: boolean;
}
export const buttonsOf = ({ message }: StoredMessage): readonly Pressable[] =>
  (message.components ?? []).flatMap((one) => ('components' in one ? (one.components as Pressable[]) : []));
/** The id of the button whose label begins with this text. */
export const buttonId = (stored: StoredMessage, label: string): string => {
  const found = buttonsOf(stored).find((one) => one.label?.startsWith(label) && !one.disabled);
  if (!found?.custom_id) throw new Error(`no button ${label} in: ${JSON.stringify(buttonsOf(stored))}`);
  return found.custom_id;
};
