import { once } from 'node:events';
import type { APIMessage, APIRole, MessageFlags, OverwriteType } from 'discord.js';
import { commandData, type OptionValue } from './command-data.ts';
import type { Context } from './context.ts';
import {
  type Answer,
  type Choice,
  type Interaction,
  type InteractionOpening,
  interactionType,
  openInteraction,
} from './interactions.ts';
import { allComponents, type Component } from './message-form.ts';
import { deleteMessage, postMessage } from './messages.ts';
import { bitsOf, has, type Permission, permissionsOf } from './permissions.ts';
import { channelShape, makeRole, makeUser, memberShape } from './shapes.ts';
import type { Channel, ChannelType, Guild, Member, StoredMessage } from './state.ts';

const none = 0 as MessageFlags;
/** Of a forwarded message. */
const hasSnapshot = (1 << 14) as MessageFlags;

/** The actions of a guild's people in their own Discord clients, and what they see there. */
export type People = ReturnType<typeof createPeople>;

export const createPeople = (context: Context, guild: Guild) => {
  const { state, nextId, now } = context;
  const changed = () => context.changes.emit('change');
  const tell = (event: string, data: object) => {
    context.dispatch(event, { guild_id: guild.id, ...data }, guild);
    changed();
  };
  const channelNamed = (name: string): Channel => {
    const found = [...guild.channels.values()].find((channel) => channel.name === name);
    if (!found) throw new Error(`the guild has no channel #${name}`);
    return found;
  };
  const roleNamed = (name: string): APIRole => {
    const found = [...guild.roles.values()].find((role) => role.name === name);
    if (!found) throw new Error(`the guild has no role ${name}`);
    return found;
  };
  const messagesIn = (channel: Channel, viewer?: Member): StoredMessage[] =>
    [...channel.messages.values()].filter(
      ({ visibleTo }) => visibleTo === null || visibleTo === viewer?.user.id,
    );

  const interact = (
    opening: Omit<InteractionOpening, 'guild'>,
    data: object,
    { locale = 'en-US' }: { locale?: string } = {},
  ): Interaction => {
    const interaction = openInteraction(context, { ...opening, guild });
    const member = guild.members.get(opening.userId);
    if (!member) throw new Error('only a member can interact');
    const { channel, source, type } = opening;
    const permissions = String(permissionsOf(guild, opening.userId, channel));
    // https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object
    context.dispatch(
      'INTERACTION_CREATE',
      {
        id: interaction.id,
        application_id: state.application.id,
        type,
        data,
        guild: { id: guild.id, locale: guild.locale, features: [] },
        guild_id: guild.id,
        channel: { ...channelShape(channel), permissions },
        channel_id: channel.id,
        member: { ...memberShape(member), permissions },
        token: interaction.token,
        version: 1,
        ...(source && { message: source.message }),
        app_permissions: String(permissionsOf(guild, state.application.id, channel)),
        locale,
        guild_locale: guild.locale,
        entitlements: [],
        authorizing_integration_owners: { 0: guild.id },
        context: 0,
        attachment_size_limit: 10_485_760,
      },
      guild,
    );
    return interaction;
  };

  const command = (
    type: typeof interactionType.command | typeof interactionType.autocomplete,
    member: Member,
    channel: Channel,
    name: string,
    options: Readonly<Record<string, OptionValue>>,
    settings: { locale?: string; focused?: string } = {},
  ): Interaction => {
    const commands = [...(state.commands.get(guild.id) ?? []), ...(state.commands.get('global') ?? [])];
    const found = commands.find((one) => one.name === name.split(' ')[0]);
    if (!found) throw new Error(`no command /${name} is registered`);
    const needed = BigInt(found.default_member_permissions ?? 0);
    const bits = permissionsOf(guild, member.user.id, channel);
    if ((bits & needed) !== needed || !has(bits, 'useApplicationCommands'))
      throw new Error(`Discord does not show /${name} to ${member.user.username}`);
    const data = commandData(found, name, options, guild, settings.focused);
    return interact({ type, channel, userId: member.user.id, name, source: null }, data, settings);
  };

  const component = (stored: StoredMessage, customId: string): Component => {
    const all = allComponents((stored.message.components ?? []) as unknown as Component[]);
    const found = all.find(({ custom_id }) => custom_id === customId);
    if (!found) throw new Error(`the message has no component ${customId}`);
    if (found.disabled) throw new Error(`the component ${customId} is disabled`);
    if (stored.isDeleted) throw new Error('the message was deleted');
    return found;
  };
  const channelOf = ({ message }: StoredMessage): Channel => {
    const channel = guild.channels.get(message.channel_id);
    if (!channel) throw new Error('the channel was deleted');
    return channel;
  };
  const operate = (
    member: Member,
    stored: StoredMessage,
    customId: string,
    values: readonly string[] | null,
    settings: { locale?: string } = {},
  ) => {
    const { type, id } = component(stored, customId);
    const channel = channelOf(stored);
    const data = { id, component_type: type, custom_id: customId, ...(values && { values }) };
    const opening = {
      type: interactionType.component,
      channel,
      userId: member.user.id,
      name: '',
      source: stored,
    };
    return interact(opening, data, settings);
  };

  return {
    guild,
    channelNamed,
    roleNamed,
    messagesIn,

    join(name: string, { isBot = false, pending = false, roles = [] as readonly string[] } = {}): Member {
      const user = makeUser(nextId(), name, isBot);
      state.users.set(user.id, user);
      const joinedAt = new Date(now()).toISOString();
      const member: Member = { user, nick: null, roles: [...roles], joinedAt, pending };
      guild.members.set(user.id, member);
      tell('GUILD_MEMBER_ADD', memberShape(member));
      return member;
    },
    leave({ user }: Member): void {
      guild.members.delete(user.id);
      tell('GUILD_MEMBER_REMOVE', { user });
    },
    /** Without the previous roles, as on Discord. */
    rejoin({ user }: Member): void {
      const member = { user, nick: null, roles: [], joinedAt: new Date(now()).toISOString() };
      guild.members.set(user.id, member);
      tell('GUILD_MEMBER_ADD', memberShape(member));
    },
    /** Of the guild, in the screen that new members see. */
    acceptRules(member: Member): void {
      member.pending = false;
      tell('GUILD_MEMBER_UPDATE', memberShape(member));
    },
    /** As an administrator of the guild. */
    setRoles(member: Member, roles: readonly string[]): void {
      member.roles = [...roles];
      if (roles.length > 0) member.pending = false;
      tell('GUILD_MEMBER_UPDATE', memberShape(member));
    },
    setNick(member: Member, nick: string | null): void {
      member.nick = nick;
      tell('GUILD_MEMBER_UPDATE', memberShape(member));
    },
    createRole(name: string, more: Partial<APIRole> = {}): APIRole {
      const role = makeRole({ id: nextId(), name, ...more });
      guild.roles.set(role.id, role);
      tell('GUILD_ROLE_CREATE', { role });
      return role;
    },
    changeRole(role: APIRole, more: Partial<APIRole>): void {
      Object.assign(role, more);
      tell('GUILD_ROLE_UPDATE', { role });
    },
    deleteRole({ id }: APIRole): void {
      guild.roles.delete(id);
      for (const member of guild.members.values()) member.roles = member.roles.filter((role) => role !== id);
      tell('GUILD_ROLE_DELETE', { role_id: id });
    },
    createChannel(name: string, type: ChannelType = 0): Channel {
      const channel: Channel = {
        id: nextId(),
        guildId: guild.id,
        type,
        name,
        topic: null,
        parentId: null,
        position: guild.channels.size,
        overwrites: [],
        messages: new Map(),
      };
      guild.channels.set(channel.id, channel);
      tell('CHANNEL_CREATE', channelShape(channel));
      return channel;
    },
    deleteChannel(channel: Channel): void {
      guild.channels.delete(channel.id);
      for (const webhook of state.webhooks.values())
        if (webhook.channel_id === channel.id) state.webhooks.delete(webhook.id);
      tell('CHANNEL_DELETE', channelShape(channel));
    },
    /** Replaces the denied and allowed permissions of a role or a member in a channel. */
    setOverwrite(
      channel: Channel,
      id: string,
      { allow = [], deny = [] }: { allow?: readonly Permission[]; deny?: readonly Permission[] },
    ): void {
      const type: OverwriteType = guild.roles.has(id) ? 0 : 1;
      const overwrite = { id, type, allow: String(bitsOf(...allow)), deny: String(bitsOf(...deny)) };
      channel.overwrites = [...channel.overwrites.filter((one) => one.id !== id), overwrite];
      tell('CHANNEL_UPDATE', channelShape(channel));
    },
    /** Removes the app from the guild. */
    removeBot(): void {
      // Dispatched while the app is still a member, or it would not get the event.
      context.dispatch('GUILD_DELETE', { id: guild.id }, guild);
      guild.members.delete(state.application.id);
      changed();
    },
    /** @param more what only Discord's own clients send, such as a poll or a forwarded message */
    sendMessage(
      channel: Channel,
      { user }: Member,
      content: string,
      { replyTo, more = {} }: { replyTo?: StoredMessage; more?: Partial<APIMessage> } = {},
    ): StoredMessage {
      const authorPermissions = permissionsOf(guild, user.id, channel);
      if (!has(authorPermissions, 'sendMessages')) throw new Error(`${user.username} may not write here`);
      const body = { content, ...(replyTo && { message_reference: { message_id: replyTo.message.id } }) };
      const isOfClient = Object.keys(more).length > 0;
      return postMessage(context, {
        guild,
        channel,
        author: user,
        body,
        authorPermissions,
        more,
        isOfClient,
      });
    },
    /** https://docs.discord.com/developers/resources/message#message-snapshot-object */
    forwardMessage(channel: Channel, member: Member, { message }: StoredMessage): StoredMessage {
      const { type, content, embeds, attachments, timestamp, edited_timestamp, flags = none } = message;
      const { mentions, mention_roles, sticker_items, components = [] } = message;
      const told = { type, content, embeds, attachments, timestamp, edited_timestamp, flags };
      const more: Partial<APIMessage> = {
        flags: hasSnapshot,
        message_reference: {
          type: 1,
          message_id: message.id,
          channel_id: message.channel_id,
          guild_id: guild.id,
        },
        message_snapshots: [
          {
            message: {
              ...told,
              mentions,
              mention_roles,
              components,
              ...(sticker_items && { sticker_items }),
            },
          },
        ],
      };
      return this.sendMessage(channel, member, '', { more });
    },
    /** https://docs.discord.com/developers/resources/poll#poll-object */
    sendPoll(channel: Channel, member: Member, question: string, answers: readonly string[]): StoredMessage {
      const poll: APIMessage['poll'] = {
        question: { text: question },
        answers: answers.map((text, index) => ({ answer_id: index + 1, poll_media: { text } })),
        expiry: new Date(now() + 86_400_000).toISOString(),
        allow_multiselect: false,
        layout_type: 1,
        results: { is_finalized: false, answer_counts: [] },
      };
      return this.sendMessage(channel, member, '', { more: { poll } });
    },
    deleteMessage(stored: StoredMessage): void {
      deleteMessage(context, guild, channelOf(stored), stored);
    },

    runCommand(
      member: Member,
      channel: Channel,
      name: string,
      options: Readonly<Record<string, OptionValue>> = {},
      settings: { locale?: string } = {},
    ): Interaction {
      return command(interactionType.command, member, channel, name, options, settings);
    },
    /** The choices that the app offers for the text typed into the option so far. */
    async autocomplete(
      member: Member,
      channel: Channel,
      name: string,
      options: Readonly<Record<string, OptionValue>>,
      focused: string,
      settings: { locale?: string } = {},
    ): Promise<readonly Choice[]> {
      const type = interactionType.autocomplete;
      const answer = await command(type, member, channel, name, options, { ...settings, focused }).answer;
      return answer.kind === 'choices' ? answer.choices : [];
    },
    pressButton(member: Member, stored: StoredMessage, customId: string, settings: { locale?: string } = {}) {
      return operate(member, stored, customId, null, settings);
    },
    selectOptions(
      member: Member,
      stored: StoredMessage,
      customId: string,
      values: readonly string[],
      settings: { locale?: string } = {},
    ) {
      return operate(member, stored, customId, values, settings);
    },
    /** Submits the modal that answered an interaction. */
    async submitModal(
      shownBy: Interaction,
      values: Readonly<Record<string, string>>,
      settings: { locale?: string } = {},
    ): Promise<Interaction> {
      const answer: Answer = await shownBy.answer;
      if (answer.kind !== 'modal')
        throw new Error(`the interaction was answered by ${answer.kind}, not a modal`);
      const { custom_id, components } = answer.modal;
      const filled = (one: Component): object => ({
        type: one.type,
        ...(one.id !== undefined && { id: one.id }),
        ...(one.custom_id !== undefined && { custom_id: one.custom_id, value: values[one.custom_id] ?? '' }),
        ...(one.components && { components: one.components.map(filled) }),
        ...(one.component && { component: filled(one.component) }),
      });
      const { channel, userId, source } = shownBy;
      const opening = { type: interactionType.modalSubmit, channel, userId, name: '', source };
      return interact(opening, { custom_id, components: components.map(filled) }, settings);
    },

    /** Waits until the person's view of the channel satisfies the condition, and returns the result. */
    async see<T>(look: () => T | null | undefined | false): Promise<T> {
      for (;;) {
        const seen = look();
        if (seen) return seen;
        await once(context.changes, 'change');
      }
    },
  };
};
