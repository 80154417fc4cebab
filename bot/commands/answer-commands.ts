import {
  type AutocompleteInteraction,
  type BaseInteraction,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  DiscordAPIError,
  Events,
  MessageFlags,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  Routes,
} from 'discord.js';
import type { DiscordUser } from '#contracts/discord/discord-users.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import { sleep } from '#runtime/sleep.ts';
import { waitAtMost } from '#runtime/within.ts';
import { ApiFault } from '../api-client.ts';
import { cut } from '../cut.ts';
import type { BotContext, BotFeature } from '../guild-features.ts';
import type { Asked, AskedAct, BotCommand, Reply } from './command.ts';
import { botCommands } from './commands.ts';
import { type Community, followCommunity, signReply } from './community.ts';
import { failedText, faultText } from './faults.ts';
import { languageOf } from './language.ts';
import { choiceText } from './text.ts';

type Definition = RESTPostAPIChatInputApplicationCommandsJSONBody;

/** A command as registered or as wanted, without what Discord adds itself or leaves out as a default. */
const comparable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    .filter(([name]) => !ofDiscord.has(name))
    .map(([name, field]) => [name, comparable(field)] as const)
    .filter(([, field]) => field !== null && field !== false && !isEmpty(field))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields);
};
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
const ofDiscord: ReadonlySet<string> = new Set([
  ...[
    'id',
    'application_id',
    'guild_id',
    'version',
    'dm_permission',
    'contexts',
    'integration_types',
    'nsfw',
  ],
  ...['name_localized', 'description_localized', 'handler'],
]);

const isSame = (wanted: readonly Definition[], registered: readonly { readonly name: string }[]): boolean => {
  const byName = (commands: readonly { readonly name: string }[]) =>
    JSON.stringify(commands.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map(comparable));
  return byName(wanted.map((one) => ({ type: 1, ...one }))) === byName(registered);
};

const retry = { firstMs: 5000, mostMs: 600_000 };

/** Registers this server's commands with Discord if they have changed, retrying until Discord accepts them. */
const registerCommands = async (
  { client, guildId, log, signal }: Pick<BotContext, 'client' | 'guildId' | 'log' | 'signal'>,
  wanted: readonly Definition[],
): Promise<void> => {
  const route = Routes.applicationGuildCommands(client.application.id, guildId);
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      // Otherwise the translations are left out, and every start would register again.
      const query = new URLSearchParams({ with_localizations: 'true' });
      const registered = (await client.rest.get(route, { query, signal })) as { readonly name: string }[];
      if (isSame(wanted, registered)) return;
      await client.rest.put(route, { body: wanted, signal });
      log.info({ commands: wanted.length }, 'registered the commands with Discord');
      return;
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, 'could not register the commands with Discord; will retry');
      await sleep(backOffDelay(retry, failures), signal);
    }
  }
};

/** Discord waits three seconds for choices, and shows at most 25. */
const choicesDeadlineMs = 2000;
const mostChoices = 25;
const stopDeadlineMs = 2000;

/** The names that games and shops give to people and things notify no one. */
const noMentions = { parse: [] };

/**
 * Registers the commands and answers them: tells Discord immediately that an answer will come, then asks the API in the
 * person's name. What Discord no longer accepts in time is not started.
 */
export const answerCommands: BotFeature = (bot) => {
  const context: Answering = { ...bot, community: followCommunity(bot.api) };
  const { client, guildId, log, signal } = context;
  const underWay = new Set<Promise<void>>();
  /** Buttons that are being answered; where the answer replaces the message, the whole message. */
  const pressed = new Set<string>();
  const commands = new Map(botCommands.map((command) => [command.definition.name, command]));

  const handle = async (interaction: BaseInteraction): Promise<void> => {
    if (interaction.isAutocomplete()) return complete(context, commands, interaction);
    if (interaction.isChatInputCommand()) return runCommand(context, commands, interaction);
    if (!interaction.isButton()) return;
    await pressButton(context, commands, interaction, pressed);
  };
  const onInteraction = (interaction: BaseInteraction) => {
    if (interaction.guildId !== guildId || signal.aborted) return;
    const work = handle(interaction)
      // Too late for Discord, or the message is gone: there is no one to tell.
      .catch((error: unknown) => log.info({ err: error }, 'could not answer an interaction'))
      .finally(() => underWay.delete(work));
    underWay.add(work);
  };
  client.on(Events.InteractionCreate, onInteraction);
  const registered = registerCommands(
    context,
    botCommands.map(({ definition }) => definition),
  );

  return {
    async [Symbol.asyncDispose]() {
      client.off(Events.InteractionCreate, onInteraction);
      const ended = Promise.all([registered, ...underWay]);
      // If Discord is unreachable, do not wait for answers that it will not accept.
      await waitAtMost(stopDeadlineMs, ended);
    },
  };
};

interface Answering extends BotContext {
  readonly community: () => Promise<Community>;
}

type Commands = ReadonlyMap<string, BotCommand>;

/** @param deadlineMs for each call of the API, where Discord does not wait longer */
const askedBy = ({ api, signal }: BotContext, interaction: BaseInteraction, deadlineMs?: number): Asked => {
  const user = personOf(interaction);
  const shared = { signal, ...(deadlineMs !== undefined && { deadlineMs }) };
  return {
    language: languageOf(interaction.locale),
    id: interaction.id,
    userId: user.id,
    api: (endpoint, input, options = {}) => api.call(endpoint, input, { ...shared, ...options, user }),
    botApi: (endpoint, input, options = {}) => api.call(endpoint, input, { ...shared, ...options }),
  };
};

const askedToAct = (
  context: BotContext,
  interaction: ChatInputCommandInteraction | ButtonInteraction,
): AskedAct => {
  const asked = askedBy(context, interaction);
  return {
    ...asked,
    signal: context.signal,
    async tell(reply) {
      try {
        await show(interaction, asked, reply);
      } catch (error) {
        // The real answer follows later.
        context.log.debug({ err: error }, 'could not show progress in Discord');
      }
    },
  };
};

const personOf = ({ user, member, guildId }: BaseInteraction): DiscordUser => {
  const roles = member?.roles;
  const roleIds = Array.isArray(roles) ? roles : [...(roles?.cache.keys() ?? [])];
  const shown = member && 'displayName' in member ? member.displayName : (user.globalName ?? user.username);
  return {
    id: user.id,
    name: cut(shown, 100),
    // The role `@everyone` has the id of its server.
    roleIds: roleIds.filter((id) => id !== guildId),
  };
};

const runCommand = async (
  context: Answering,
  commands: Commands,
  interaction: ChatInputCommandInteraction,
): Promise<void> => {
  const command = commands.get(interaction.commandName);
  if (!command) return;
  await interaction.deferReply(command.isPrivate ? { flags: MessageFlags.Ephemeral } : {});
  const asked = askedToAct(context, interaction);
  const answer = () => command.run({ ...asked, options: interaction.options });
  const reply = await replyOf(context, asked, answer, { isStore: command.isStore });
  await show(interaction, asked, reply);
};

/** @param pressed holds the pressed buttons until their answers are shown */
const pressButton = async (
  context: Answering,
  commands: Commands,
  interaction: ButtonInteraction,
  pressed: Set<string>,
): Promise<void> => {
  const [name = '', part = '', ...values] = interaction.customId.split('|');
  const command = commands.get(name);
  const button = command?.buttons?.[part];
  if (!button) return;
  const isUpdate = button.answers === 'update';
  const asked = askedToAct(context, interaction);
  const { id } = interaction.message;
  const key = isUpdate ? id : `${id}|${interaction.customId}`;
  // The first click is still being answered; its answer serves this one, too.
  if (pressed.has(key)) return void (await interaction.deferUpdate());
  pressed.add(key);
  try {
    await (isUpdate ? interaction.deferUpdate() : interaction.deferReply({ flags: MessageFlags.Ephemeral }));
    const reply = await replyOf(context, asked, () => button.press(asked, values), {
      isUpdate,
      isStore: command?.isStore,
    });
    if (!button.isDecision) pressed.delete(key);
    // Otherwise the previous page's pictures would stay.
    await show(interaction, asked, isUpdate ? { attachments: [], ...reply } : reply);
  } finally {
    pressed.delete(key);
  }
};

/** If Discord refuses the answer itself, says so, since Discord still waits for one. */
const show = async (
  interaction: ChatInputCommandInteraction | ButtonInteraction,
  { language }: Asked,
  reply: Reply & { readonly attachments?: readonly [] },
): Promise<void> => {
  try {
    await interaction.editReply({ allowedMentions: noMentions, ...reply });
  } catch (error) {
    if (!(error instanceof DiscordAPIError && (error.status === 400 || error.status === 413))) throw error;
    await interaction.editReply({ content: `⚠️ ${failedText(language)}` });
    throw error;
  }
};

/** A fault takes the answer's place; on a message with buttons it goes above them, so that they can be pressed again. */
const replyOf = async (
  { log, community }: Answering,
  { language }: Asked,
  answer: () => Promise<Reply>,
  {
    isUpdate = false,
    isStore = false,
  }: { readonly isUpdate?: boolean; readonly isStore?: boolean | undefined } = {},
): Promise<Reply> => {
  try {
    const [reply, from] = await Promise.all([answer(), community()]);
    return { content: '', ...signReply(reply, from, isStore) };
  } catch (error) {
    const isExpected = error instanceof ApiFault;
    if (!isExpected) log.error({ err: error }, 'command failed');
    const content = `⚠️ ${isExpected ? faultText(error, language) : failedText(language)}`;
    return isUpdate ? { content } : { content, embeds: [], components: [] };
  }
};

const complete = async (
  context: BotContext,
  commands: Commands,
  interaction: AutocompleteInteraction,
): Promise<void> => {
  const command = commands.get(interaction.commandName);
  const focused = interaction.options.getFocused(true);
  const asked = askedBy(context, interaction, choicesDeadlineMs);
  const option = (name: string) => {
    const value = interaction.options.get(name)?.value;
    return value === undefined ? null : String(value);
  };
  // Without choices, people can still type.
  const choices = await Promise.resolve(command?.complete?.({ ...asked, focused, option }) ?? []).catch(
    () => [],
  );
  await interaction.respond(
    choices.slice(0, mostChoices).map(({ name, value }) => ({ name: choiceText(name), value })),
  );
};
