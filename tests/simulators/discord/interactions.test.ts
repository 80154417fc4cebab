import {
  ActionRowBuilder,
  ApplicationCommandOptionType,
  ButtonBuilder,
  ButtonStyle,
  type DiscordAPIError,
  Events,
  type Interaction,
  MessageFlags,
  ModalBuilder,
  type RESTPostAPIApplicationCommandsJSONBody,
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Discord, startDiscord } from './discord.ts';
import type { People } from './people.ts';
import { type SignedIn, signIn } from './signed-in.ts';
import type { Channel, Member } from './state.ts';

const commands = [
  {
    name: 'status',
    name_localizations: { 'pt-BR': 'estado' },
    description: 'How the servers are',
    options: [
      {
        type: ApplicationCommandOptionType.String,
        name: 'server',
        description: 'Which one',
        required: true,
        autocomplete: true,
      },
      { type: ApplicationCommandOptionType.User, name: 'who', description: 'For whom' },
    ],
  },
  {
    name: 'points',
    description: 'Points',
    options: [
      {
        type: ApplicationCommandOptionType.Subcommand,
        name: 'give',
        description: 'Gives',
        options: [
          {
            type: ApplicationCommandOptionType.Integer,
            name: 'amount',
            description: 'How many',
            min_value: 1,
          },
        ],
      },
    ],
  },
  { name: 'ban', description: 'Bans', default_member_permissions: '4' },
] satisfies RESTPostAPIApplicationCommandsJSONBody[];

let discord: Discord;
let people: People;
let bot: SignedIn;
let general: Channel;
let ada: Member;

beforeEach(async () => {
  discord = await startDiscord({ settings: { identifyWindowMs: 0 } });
  people = discord.addGuild('The Keep', { channels: ['general'] });
  general = people.channelNamed('general');
  ada = people.join('Ada');
  bot = await signIn(discord);
  await bot.client.application.commands.set(commands, people.guild.id);
});
afterEach(async () => {
  await bot[Symbol.asyncDispose]();
  await discord[Symbol.asyncDispose]();
});

/** Handles the next interaction in the bot. @returns the handler's result */
const onInteraction = <T>(handle: (interaction: Interaction) => Promise<T>): Promise<T> => {
  const first = Promise.withResolvers<T>();
  bot.client.on(Events.InteractionCreate, (interaction) => {
    handle(interaction).then(first.resolve, first.reject);
  });
  return first.promise;
};

const row = (customId: string) =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(
    new ButtonBuilder().setCustomId(customId).setLabel('Buy').setStyle(ButtonStyle.Primary),
  );

// Guarantee: commands keep their ids, and keep their versions while unchanged.
test('registration', async () => {
  const registered = () => discord.state.commands.get(people.guild.id) ?? [];
  const before = [...registered()];
  expect(before.map(({ name }) => name)).toEqual(['status', 'points', 'ban']);
  await bot.client.application.commands.set(commands, people.guild.id);
  expect(registered()).toEqual(before);
  const changed = commands.map((command) => ({ ...command, description: `${command.description}.` }));
  await bot.client.application.commands.set(changed.slice(0, 2), people.guild.id);
  expect(registered().map(({ id }) => id)).toEqual(before.slice(0, 2).map(({ id }) => id));
  expect(registered()[0]?.version).not.toBe(before[0]?.version);
  const writes = discord.requests.filter(
    ({ method, path }) => method === 'PUT' && path.endsWith('/commands'),
  );
  expect(writes).toHaveLength(3);

  const guildId = people.guild.id;
  const path = `/applications/${bot.client.application.id}/guilds/${guildId}/commands` as const;
  const names = { 'pt-BR': 'estado' };
  const [listed] = (await bot.client.rest.get(path)) as object[];
  expect(listed).not.toHaveProperty('name_localizations');
  const query = new URLSearchParams({ with_localizations: 'true' });
  expect(await bot.client.rest.get(path, { query })).toMatchObject([{ name_localizations: names }, {}]);
  const wrong = bot.client.application.commands.set([{ name: 'No Blanks', description: 'x' }], guildId);
  await expect(wrong).rejects.toMatchObject({ code: 50035 });
});

// Guarantee: a command reaches the bot with its options and its user's locale, and only that person sees the answer.
test('a slash command', async () => {
  void onInteraction(async (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    const { locale, options } = interaction;
    const who = options.getUser('who')?.displayName;
    const content = `${options.getString('server')} for ${who} in ${locale}`;
    await interaction.reply({ content, flags: MessageFlags.Ephemeral });
    await interaction.followUp('to all');
  });
  const options = { server: 'ragnarok', who: ada.user.id };
  const asked = people.runCommand(ada, general, 'status', options, { locale: 'pt-BR' });
  expect(await asked.answer).toMatchObject({ kind: 'message', isEphemeral: true });
  expect((await asked.message)?.message.content).toBe('ragnarok for Ada in pt-BR');
  const followUp = await people.see(() => asked.followUps[0]);
  expect(followUp.message.content).toBe('to all');
  const bob = people.join('Bob');
  expect(people.messagesIn(general, bob)).toHaveLength(1);
  expect(people.messagesIn(general, ada)).toHaveLength(2);
});

// Guarantee: a deferred answer is shown as such, and filled in later by an edit or a follow-up.
test.each(['editReply', 'followUp'] as const)('a deferred answer, by %s', async (way) => {
  const done = onInteraction(async (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    await interaction[way]({ content: String(interaction.options.getInteger('amount')) });
  });
  const asked = people.runCommand(ada, general, 'points give', { amount: 5 });
  expect(await asked.answer).toEqual({ kind: 'deferred', isEphemeral: true });
  expect((await asked.message)?.message).toMatchObject({ content: '5', flags: MessageFlags.Ephemeral });
  await done;
  expect(people.messagesIn(general, ada)).toHaveLength(1);
});

// Guarantee: autocomplete offers choices for the option that is being typed.
test('autocomplete', async () => {
  void onInteraction(async (interaction) => {
    if (!interaction.isAutocomplete()) return;
    const { name, value } = interaction.options.getFocused(true);
    await interaction.respond([{ name: `${name}: ${value}…`, value: 'ragnarok' }]);
  });
  const choices = await people.autocomplete(ada, general, 'status', { server: 'rag' }, 'server');
  expect(choices).toEqual([{ name: 'server: rag…', value: 'ragnarok' }]);
});

// Guarantee: a button can be pressed only on its message and only while it exists.
test('a button', async () => {
  const handled = onInteraction(async (interaction) => {
    if (interaction.isButton()) await interaction.update({ content: 'bought', components: [] });
  });
  await bot.text(general.id).send({ content: 'a sword', components: [row('buy:7')] });
  const offer = await people.see(() => people.messagesIn(general)[0]);
  const pressed = people.pressButton(ada, offer, 'buy:7');
  expect(await pressed.answer).toMatchObject({ kind: 'update' });
  await handled;
  expect(people.messagesIn(general)).toHaveLength(1);
  expect(offer.message).toMatchObject({ content: 'bought', components: [] });
  expect(() => people.pressButton(ada, offer, 'buy:7')).toThrow('no component');
});

// Guarantee: a select menu's interaction contains the chosen values, and its answer can be deferred invisibly.
test('a select menu', async () => {
  void onInteraction(async (interaction) => {
    if (!interaction.isStringSelectMenu()) return;
    await interaction.deferUpdate();
    await interaction.editReply({ content: interaction.values.join() });
  });
  const menu = new StringSelectMenuBuilder().setCustomId('page').addOptions([
    { label: 'One', value: '1' },
    { label: 'Two', value: '2' },
  ]);
  const components = [new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(menu)];
  await bot.text(general.id).send({ content: 'shop', components });
  const [shop] = people.messagesIn(general);
  if (!shop) throw new Error('no message');
  const chosen = people.selectOptions(ada, shop, 'page', ['2']);
  expect(await chosen.answer).toEqual({ kind: 'deferred-update' });
  expect((await chosen.message)?.message.content).toBe('2');
});

// Guarantee: a modal can be the first answer, and the submitted values arrive under their ids.
test('a modal', async () => {
  void onInteraction(async (interaction) => {
    if (interaction.isChatInputCommand()) {
      const input = new TextInputBuilder()
        .setCustomId('why')
        .setLabel('Reason')
        .setStyle(TextInputStyle.Short);
      const modal = new ModalBuilder().setCustomId('reason').setTitle('Reason');
      await interaction.showModal(
        modal.addComponents(new ActionRowBuilder<TextInputBuilder>().addComponents(input)),
      );
    } else if (interaction.isModalSubmit()) {
      await interaction.reply(`because ${interaction.fields.getTextInputValue('why')}`);
    }
  });
  const asked = people.runCommand(ada, general, 'status', { server: 'x' });
  expect(await asked.answer).toMatchObject({ kind: 'modal', modal: { custom_id: 'reason' } });
  const submitted = await people.submitModal(asked, { why: 'of lag' });
  expect((await submitted.message)?.message.content).toBe('because of lag');
});

// Guarantee: an answer after the deadline is refused, and the person sees that there was none.
test('an interaction that expired', async () => {
  discord.settings.interactionDeadlineMs = 50;
  const expired = Promise.withResolvers<void>();
  const handled = onInteraction(async (interaction) => {
    await expired.promise;
    if (interaction.isChatInputCommand()) await interaction.reply('late');
  }).then(
    () => null,
    (error: DiscordAPIError) => error,
  );
  const asked = people.runCommand(ada, general, 'status', { server: 'x' });
  expect(await asked.answer).toEqual({ kind: 'failed' });
  expect(await asked.message).toBeNull();
  expired.resolve();
  expect(await handled).toMatchObject({ status: 404, code: 10062 });
});

// Guarantee: an interaction can be answered once, and its token expires.
test('answers too many and too late', async () => {
  const codes = onInteraction(async (interaction) => {
    if (!interaction.isChatInputCommand()) return [];
    const { id, token, applicationId } = interaction;
    const callback = () =>
      bot.client.rest.post(`/interactions/${id}/${token}/callback`, {
        body: { type: 4, data: { content: 'x' } },
      });
    const code = (work: Promise<unknown>) =>
      work.then(
        () => 0,
        (error: DiscordAPIError) => error.code,
      );
    const followUp = () =>
      bot.client.rest.post(`/webhooks/${applicationId}/${token}`, { body: { content: 'y' }, auth: false });
    const seen = [
      await code(followUp()),
      await code(callback()),
      await code(callback()),
      await code(followUp()),
    ];
    discord.settings.interactionLifeMs = -1;
    return [...seen, await code(followUp())];
  });
  people.runCommand(ada, general, 'status', { server: 'x' });
  expect(await codes).toEqual([10015, 0, 40060, 0, 50027]);
});

// Guarantee: a person can send only what Discord's own client allows.
test('what a person cannot send', () => {
  expect(() => people.runCommand(ada, general, 'nothing')).toThrow('no command');
  expect(() => people.runCommand(ada, general, 'status')).toThrow('needs the option server');
  expect(() => people.runCommand(ada, general, 'points give', { amount: 0 })).toThrow('must be from 1');
  expect(() => people.runCommand(ada, general, 'ban')).toThrow('does not show');
});
