import { createHash } from 'node:crypto';
import type { APIMessage, APIUser } from 'discord.js';
import type { Context, Tailor } from './context.ts';
import { pingedBy } from './mentions.ts';
import { type Component, checkMessage, checkNotEmpty, flag, type MessageBody } from './message-form.ts';
import { permission, permissionsOf } from './permissions.ts';
import { memberShape } from './shapes.ts';
import type { Channel, Guild, Pinged, StoredFile, StoredMessage } from './state.ts';

export interface Post {
  readonly guild: Guild;
  readonly channel: Channel;
  readonly author: APIUser;
  readonly body: MessageBody;
  /** By the number in the name of the form part, files[0]. */
  readonly files?: ReadonlyMap<string, StoredFile>;
  /** Additional members of the message: webhook_id, interaction_metadata. */
  readonly more?: Partial<APIMessage>;
  readonly visibleTo?: string | null;
  /** The sender's permissions; for a webhook, those of @everyone. */
  readonly authorPermissions: bigint;
  /** Whether it is a deferred answer, which is empty at first. */
  readonly isLoading?: boolean;
  /** By Discord's own client, which sends what the API does not take, such as a voice message. */
  readonly isOfClient?: boolean;
}

const isV2 = (flags: number | null | undefined): boolean => ((flags ?? 0) & flag.componentsV2) !== 0;

/** Discord numbers the components that have no id. */
const numbered = (components: readonly Component[]): Component[] => {
  let last = 0;
  const number = (component: Component): Component => {
    last += 1;
    return {
      ...component,
      id: component.id ?? last,
      ...(component.components && { components: component.components.map(number) }),
      ...(component.component && { component: number(component.component) }),
      ...(component.accessory && { accessory: number(component.accessory) }),
    };
  };
  return components.map(number);
};

/** The members of a message that come from its body, as they are returned. */
const shown = (body: MessageBody) => ({
  ...(body.content !== undefined && { content: (body.content ?? '').trim() }),
  ...(body.embeds !== undefined && {
    embeds: (body.embeds ?? []).map((embed) => ({ ...embed, type: 'rich' })) as APIMessage['embeds'],
  }),
  ...(body.components !== undefined && {
    components: numbered(body.components ?? []) as unknown as NonNullable<APIMessage['components']>,
  }),
});

/** https://docs.discord.com/developers/reference#uploading-files */
const keepFiles = (context: Context, { channel, body, files = new Map() }: Post): APIMessage['attachments'] =>
  [...files].map(([number, file]) => {
    const id = context.nextId();
    context.state.files.set(id, file);
    const told = body.attachments?.find((attachment) => String(attachment.id) === number);
    const name = told?.filename ?? file.name;
    const url = `${context.origin}/cdn/attachments/${channel.id}/${id}/${encodeURIComponent(name)}`;
    return {
      id,
      filename: name,
      size: file.bytes.length,
      url,
      proxy_url: url,
      content_type: file.contentType,
      ...(told?.description !== undefined && { description: told.description }),
    };
  });

const mentionsOf = ({ users, roles, everyone }: Pinged, guild: Guild) => ({
  mentions: users.flatMap((id) => guild.members.get(id)?.user ?? []),
  mention_roles: [...roles],
  mention_everyone: everyone,
});

/** Checks, stores and announces a message. https://docs.discord.com/developers/resources/message#message-object */
export const postMessage = (context: Context, post: Post): StoredMessage => {
  const { guild, channel, author, body, more = {}, visibleTo = null, authorPermissions } = post;
  checkMessage(body);
  if (!post.isLoading && !post.isOfClient) checkNotEmpty(body, post.files?.size ?? 0);
  const referenced = channel.messages.get(body.message_reference?.message_id ?? '')?.message;
  const content = (body.content ?? '').trim();
  const pinged = pingedBy({
    guild,
    content,
    allowed: body.allowed_mentions,
    authorPermissions,
    repliedUser: referenced?.author.id ?? null,
  });
  const nonce = body.nonce ?? null;
  const stored: StoredMessage = {
    message: {
      id: context.nextId(),
      channel_id: channel.id,
      type: referenced ? 19 : 0,
      content,
      author,
      timestamp: new Date(context.now()).toISOString(),
      edited_timestamp: null,
      tts: body.tts ?? false,
      pinned: false,
      ...mentionsOf(pinged, guild),
      attachments: keepFiles(context, post),
      embeds: [],
      components: [],
      ...shown(body),
      flags:
        ((body.flags ?? 0) & ~flag.ephemeral) |
        (visibleTo === null ? 0 : flag.ephemeral) |
        (post.isLoading ? flag.loading : 0),
      ...(referenced && {
        message_reference: { type: 0, message_id: referenced.id, channel_id: channel.id, guild_id: guild.id },
        referenced_message: referenced,
      }),
      ...more,
    },
    nonce,
    pinged,
    visibleTo,
    edits: 0,
    isDeleted: false,
  };
  channel.messages.set(stored.message.id, stored);
  context.state.posted.push(stored);
  announce(context, 'MESSAGE_CREATE', guild, channel, stored);
  return stored;
};

/** Checks, applies and announces an edit. https://docs.discord.com/developers/resources/message#edit-message */
export const editMessage = (context: Context, stored: StoredMessage, post: Post): StoredMessage => {
  const { guild, channel, body, authorPermissions } = post;
  const { message } = stored;
  checkMessage({ ...body, flags: (body.flags ?? 0) | (isV2(message.flags) ? flag.componentsV2 : 0) });
  const kept = body.attachments
    ? message.attachments.filter(({ id }) => body.attachments?.some((told) => String(told.id) === id))
    : message.attachments;
  const wasLoading = ((message.flags ?? 0) & flag.loading) !== 0;
  const next = { ...message, ...shown(body), attachments: [...kept, ...keepFiles(context, post)] };
  checkNotEmpty(next as unknown as MessageBody, next.attachments.length);
  if (body.content !== undefined) {
    const allowed = body.allowed_mentions;
    const content = next.content;
    stored.pinged = pingedBy({ guild, content, allowed, authorPermissions, repliedUser: null });
    Object.assign(next, mentionsOf(stored.pinged, guild));
  }
  Object.assign(message, next, {
    edited_timestamp: wasLoading ? null : new Date(context.now()).toISOString(),
    flags: ((message.flags ?? 0) & ~flag.loading) | ((body.flags ?? 0) & flag.componentsV2),
  });
  stored.edits += 1;
  announce(context, 'MESSAGE_UPDATE', guild, channel, stored);
  return stored;
};

export const deleteMessage = (context: Context, guild: Guild, channel: Channel, stored: StoredMessage) => {
  stored.isDeleted = true;
  channel.messages.delete(stored.message.id);
  const { id } = stored.message;
  if (stored.visibleTo === null)
    toViewers(context, 'MESSAGE_DELETE', guild, channel, { id, channel_id: channel.id, guild_id: guild.id });
  context.changes.emit('change');
};

const messageContentIntent = 1 << 15;

/** Without the intent, the app reads the content only of its own messages and of those that mention it. */
export const withoutContent = (message: APIMessage, botId: string): APIMessage =>
  message.author.id === botId ||
  message.application_id === botId ||
  message.mentions.some(({ id }) => id === botId)
    ? message
    : withoutMembers({ ...message, content: '', embeds: [], attachments: [], components: [] });

/** https://docs.discord.com/developers/events/gateway#message-content-intent */
const withoutMembers = ({ poll: _, message_snapshots: _copies, ...message }: APIMessage): APIMessage =>
  message;

const announce = (
  context: Context,
  event: string,
  guild: Guild,
  channel: Channel,
  { message, nonce, visibleTo }: StoredMessage,
) => {
  if (visibleTo === null) {
    const member = guild.members.get(message.author.id);
    const { user: _, ...partialMember } = member ? memberShape(member) : { user: null };
    const data = {
      ...message,
      guild_id: guild.id,
      ...(member && !message.webhook_id && { member: partialMember }),
      ...(nonce !== null && event === 'MESSAGE_CREATE' && { nonce }),
    };
    toViewers(context, event, guild, channel, data, (_data, { intents }) =>
      intents & messageContentIntent ? data : withoutContent(data, context.state.application.id),
    );
  }
  context.changes.emit('change');
};

/** A channel's events go to those who may see it. */
const toViewers = (
  context: Context,
  event: string,
  guild: Guild,
  channel: Channel,
  data: object,
  tailor?: Tailor,
) => {
  const botPermissions = permissionsOf(guild, context.state.application.id, channel);
  if (botPermissions & permission.viewChannel) context.dispatch(event, data, guild, tailor);
};

/** A webhook's picture, stored by its hash like any avatar. */
export const keepAvatar = (context: Context, url: string): string => {
  const hash = createHash('md5').update(url).digest('hex');
  context.state.avatars.set(hash, url);
  return hash;
};
