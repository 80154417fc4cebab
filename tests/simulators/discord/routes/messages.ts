import type { APIMessage } from 'discord.js';
import { hasPrivilege, intent } from '../gateway-session.ts';
import type { MessageBody } from '../message-form.ts';
import { deleteMessage, editMessage, postMessage, withoutContent } from '../messages.ts';
import { has } from '../permissions.ts';
import { DiscordProblem, invalidForm, problem } from '../problems.ts';
import { byAge, snowflakeTime } from '../snowflake.ts';
import { type Channel, type Guild, type StoredMessage, textChannelTypes } from '../state.ts';
import { type Call, channelOf, ownPermissions, param, type Route } from './route.ts';

const hourMs = 3_600_000;
const oldEditWaitSeconds = 300;

/** A message in the app's history: never with a nonce, and with texts of others only with the intent. */
const readable = ({ context: { state } }: Call, { message }: StoredMessage): APIMessage =>
  hasPrivilege(state.application.flags, intent.messageContent)
    ? message
    : withoutContent(message, state.application.id);

const found = (call: Call, channel: Channel): StoredMessage => {
  const stored = channel.messages.get(param(call, 'message'));
  if (!stored || stored.visibleTo !== null) throw problem('unknownMessage');
  return stored;
};

/** https://docs.discord.com/developers/resources/message#get-channel-messages */
const list = (call: Call) => {
  const { guild, channel } = channelOf(call);
  // Not an error: without the permission the history is empty.
  if (!has(ownPermissions(call, guild, channel), 'readMessageHistory')) return [];
  const limit = Number(call.query.get('limit') ?? 50);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= 100)) {
    const message = 'int value should be between 1 and 100.';
    throw invalidForm([{ path: ['limit'], code: 'NUMBER_TYPE_MAX', message }]);
  }
  const newestFirst = [...channel.messages.values()].filter(({ visibleTo }) => visibleTo === null).reverse();
  const [around, before, after] = ['around', 'before', 'after'].map((name) => call.query.get(name));
  const older = (id: string) => newestFirst.filter(({ message }) => byAge(message.id, id) < 0);
  const newer = (id: string) => newestFirst.filter(({ message }) => byAge(message.id, id) > 0);
  const chosen = (): StoredMessage[] => {
    if (around) {
      const half = Math.floor(limit / 2);
      const self = newestFirst.filter(({ message }) => message.id === around);
      return [...newer(around).slice(-half), ...self, ...older(around).slice(0, half)];
    }
    if (before) return older(before).slice(0, limit);
    // The messages nearest to the given one, still newest first.
    if (after) return newer(after).slice(-limit);
    return newestFirst.slice(0, limit);
  };
  return chosen().map((stored) => readable(call, stored));
};

const needs = (call: Call, guild: Guild, channel: Channel, body: MessageBody) => {
  const bits = ownPermissions(call, guild, channel);
  if (body.embeds?.length && !has(bits, 'embedLinks')) throw problem('missingPermissions');
  if (call.files.size > 0 && !has(bits, 'attachFiles')) throw problem('missingPermissions');
};

/** https://docs.discord.com/developers/resources/message#create-message */
const create = (call: Call) => {
  const { context, files } = call;
  const { guild, channel } = channelOf(call, 'sendMessages');
  if (!textChannelTypes.includes(channel.type)) throw problem('noTextChannel');
  const body = call.body as MessageBody;
  needs(call, guild, channel, body);
  const author = context.state.application.user;
  const same =
    body.enforce_nonce && body.nonce !== undefined ? withNonce(call, String(body.nonce)) : undefined;
  // A message that has been deleted is not created again: discord/discord-api-docs, pull request 6647.
  if (same?.isDeleted) throw problem('unknownMessage');
  const stored =
    same ??
    postMessage(context, {
      guild,
      channel,
      author,
      body: referenceChecked(body, channel),
      files,
      authorPermissions: ownPermissions(call, guild, channel),
    });
  if (stored.nonce !== null) context.state.nonces.set(String(stored.nonce), stored);
  return { ...stored.message, ...(stored.nonce !== null && { nonce: stored.nonce }) };
};

const referenceChecked = (body: MessageBody, channel: Channel): MessageBody => {
  const { message_reference: reference } = body;
  if (reference && reference.fail_if_not_exists !== false && !channel.messages.has(reference.message_id)) {
    const code = 'REPLIES_UNKNOWN_MESSAGE';
    throw invalidForm([{ path: ['message_reference'], code, message: 'Unknown message' }]);
  }
  return body;
};

const withNonce = ({ context: { state, settings, now } }: Call, nonce: string): StoredMessage | undefined => {
  const stored = state.nonces.get(nonce);
  const isRecent = stored && snowflakeTime(stored.message.id) > now() - settings.nonceWindowMs;
  return isRecent ? stored : undefined;
};

/** https://docs.discord.com/developers/resources/message#edit-message */
const edit = (call: Call) => {
  const { context, files } = call;
  const { guild, channel } = channelOf(call);
  const stored = found(call, channel);
  if (stored.message.author.id !== context.state.application.id) throw problem('editOfAnother');
  const age = context.now() - snowflakeTime(stored.message.id);
  if (context.faults.refuseOldEdits && age > hourMs) throw oldEditRefused();
  const body = call.body as MessageBody;
  needs(call, guild, channel, body);
  const authorPermissions = ownPermissions(call, guild, channel);
  const author = stored.message.author;
  return editMessage(context, stored, { guild, channel, author, body, files, authorPermissions }).message;
};

/** The answer is a 429, which a library may treat as an ordinary rate limit: discord/discord-api-docs, issue 4413. */
const oldEditRefused = () =>
  new DiscordProblem(429, 30046, 'Maximum number of edits to messages older than 1 hour reached.', {
    retry_after: oldEditWaitSeconds,
    global: false,
  });

const remove = (call: Call) => {
  const { guild, channel } = channelOf(call);
  const stored = found(call, channel);
  const isOwn = stored.message.author.id === call.context.state.application.id;
  if (!isOwn && !has(ownPermissions(call, guild, channel), 'manageMessages'))
    throw problem('missingPermissions');
  deleteMessage(call.context, guild, channel, stored);
  return null;
};

const one = (call: Call) => {
  const { channel } = channelOf(call, 'readMessageHistory');
  return readable(call, found(call, channel));
};

const base = '/channels/:channel/messages';
export const messageRoutes: readonly Route[] = [
  { method: 'GET', path: base, bucket: 'list-messages', handle: list },
  { method: 'POST', path: base, bucket: 'create-message', handle: create },
  { method: 'GET', path: `${base}/:message`, bucket: 'get-message', handle: one },
  { method: 'PATCH', path: `${base}/:message`, bucket: 'edit-message', handle: edit },
  { method: 'DELETE', path: `${base}/:message`, bucket: 'delete-message', handle: remove },
  {
    method: 'POST',
    path: '/channels/:channel/typing',
    bucket: 'typing',
    handle: (call) => {
      channelOf(call, 'sendMessages');
      return null;
    },
  },
];
