import { setTimeout as delay } from 'node:timers/promises';
import {
  type AutocompleteInteraction,
  type BaseInteraction,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  DiscordAPIError,
  Events,
  MessageFlags,
} from 'discord.js';
import type { DiscordUser } from '#contracts/discord-users.ts';
import { ApiFault } from '../api-client.ts';
import { cut } from '../cut.ts';
import type { BotContext, BotFeature } from '../guild-features.ts';
import type { Asked, AskedAct, BotCommand, Reply } from './command.ts';
import { botCommands } from './commands.ts';
import { failedText, faultText } from './faults.ts';
import { languageOf } from './language.ts';
import { registerCommands } from './register-commands.ts';
import { choiceText } from './text.ts';

/** Discord waits three seconds for choices, and shows no more of them. */
const choicesDeadlineMs = 2000;
const mostChoices = 25;
const stopDeadlineMs = 2000;

/** No one is notified by what a game or a shop calls its people and things. */
const noMentions = { parse: [] };

/**
 * Registers the commands and answers them: Discord is told at once that an answer comes, then the API is asked, in the name
 * of the person. What Discord does not take in time any more is not begun.
 */
export const answerCommands: BotFeature = (context) => {
  const { client, guildId, log, signal } = context;
  const underWay = new Set<Promise<void>>();
  /** Buttons that are being answered; where an answer takes the message's place, the whole message. */
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
      // It was too late for Discord, or the message is gone: no one is there to be told.
      .catch((error: unknown) => log.info({ err: error }, 'an interaction could not be answered'))
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
      // Discord may be away: then no one waits for an answer that it does not take.
      await Promise.race([ended, delay(stopDeadlineMs, undefined, { ref: false })]);
    },
  };
};

type Commands = ReadonlyMap<string, BotCommand>;

/** @param deadlineMs of each call of the API, where Discord waits no longer */
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
        // The answer itself comes later.
        context.log.debug({ err: error }, 'progress could not be shown in Discord');
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
    // `@everyone` has the id of its server.
    roleIds: roleIds.filter((id) => id !== guildId),
  };
};

const runCommand = async (
  context: BotContext,
  commands: Commands,
  interaction: ChatInputCommandInteraction,
): Promise<void> => {
  const command = commands.get(interaction.commandName);
  if (!command) return;
  await interaction.deferReply(command.isPrivate ? { flags: MessageFlags.Ephemeral } : {});
  const asked = askedToAct(context, interaction);
  const reply = await replyOf(context, asked, () => command.run({ ...asked, options: interaction.options }));
  await show(interaction, asked, reply);
};

/** @param pressed holds what is pressed until its answer is shown */
const pressButton = async (
  context: BotContext,
  commands: Commands,
  interaction: ButtonInteraction,
  pressed: Set<string>,
): Promise<void> => {
  const [name = '', part = '', ...values] = interaction.customId.split('|');
  const button = commands.get(name)?.buttons?.[part];
  if (!button) return;
  const isUpdate = button.answers === 'update';
  const asked = askedToAct(context, interaction);
  const { id } = interaction.message;
  const key = isUpdate ? id : `${id}|${interaction.customId}`;
  // The first click is under way: its answer is the answer to this one, too.
  if (pressed.has(key)) return void (await interaction.deferUpdate());
  pressed.add(key);
  try {
    await (isUpdate ? interaction.deferUpdate() : interaction.deferReply({ flags: MessageFlags.Ephemeral }));
    const reply = await replyOf(context, asked, () => button.press(asked, values), { isUpdate });
    if (!button.isDecision) pressed.delete(key);
    // Pictures of the page before would stay.
    await show(interaction, asked, isUpdate ? { attachments: [], ...reply } : reply);
  } finally {
    pressed.delete(key);
  }
};

/** Where Discord refuses the answer itself, that is told: it would wait for one. */
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

/** A fault is told in place of the answer; above a message with buttons, so that one can press again. */
const replyOf = async (
  { log }: BotContext,
  { language }: Asked,
  answer: () => Promise<Reply>,
  { isUpdate = false } = {},
): Promise<Reply> => {
  try {
    return { content: '', ...(await answer()) };
  } catch (error) {
    const isExpected = error instanceof ApiFault;
    if (!isExpected) log.error({ err: error }, 'a command has failed');
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
  // Without choices one can still type.
  const choices = await Promise.resolve(command?.complete?.({ ...asked, focused, option }) ?? []).catch(
    () => [],
  );
  await interaction.respond(
    choices.slice(0, mostChoices).map(({ name, value }) => ({ name: choiceText(name), value })),
  );
};
