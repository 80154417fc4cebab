import { randomBytes } from 'node:crypto';
import type { APIUser, APIWebhook } from 'discord.js';
import { editOriginal, followUp, interactionByToken, messageOf } from '../interactions.ts';
import { checkAvatarUrl, checkWebhookName, flag, type MessageBody } from '../message-form.ts';
import { deleteMessage, editMessage, keepAvatar, postMessage } from '../messages.ts';
import { everyonesPermissions, has } from '../permissions.ts';
import { problem } from '../problems.ts';
import { findChannel, type StoredMessage } from '../state.ts';
import { type Call, channelOf, guildOf, ownPermissions, param, type Route } from './route.ts';

const mostOfChannel = 15;

const ofChannel = ({ context: { state } }: Call, channelId: string): APIWebhook[] =>
  [...state.webhooks.values()].filter((webhook) => webhook.channel_id === channelId);

/** https://docs.discord.com/developers/resources/webhook#create-webhook */
const create = (call: Call) => {
  const { context } = call;
  const { guild, channel } = channelOf(call, 'manageWebhooks');
  const { name } = call.body as { readonly name?: string };
  checkWebhookName('name', name);
  if (ofChannel(call, channel.id).length >= mostOfChannel) throw problem('tooManyWebhooks');
  const webhook: APIWebhook = {
    id: context.nextId(),
    type: 1,
    guild_id: guild.id,
    channel_id: channel.id,
    user: context.state.application.user,
    name: (name ?? '').trim(),
    avatar: null,
    token: randomBytes(51).toString('base64url'),
    application_id: context.state.application.id,
  };
  context.state.webhooks.set(webhook.id, webhook);
  announce(call, webhook);
  return webhook;
};

const announce = ({ context }: Call, { guild_id, channel_id }: APIWebhook) => {
  const guild = context.state.guilds.get(guild_id ?? '');
  if (guild) context.dispatch('WEBHOOKS_UPDATE', { guild_id, channel_id }, guild);
};

/** Only the app that created a webhook can read its token. */
const known = (call: Call): APIWebhook => {
  const webhook = call.context.state.webhooks.get(param(call, 'webhook'));
  if (!webhook) throw problem('unknownWebhook');
  if (call.params.token !== undefined && webhook.token !== param(call, 'token'))
    throw problem('invalidWebhookToken');
  return webhook;
};

const placeOf = (call: Call, { channel_id }: APIWebhook) => {
  const found = findChannel(call.context.state, channel_id ?? '');
  if (!found) throw problem('unknownChannel');
  return found;
};

const managed = (call: Call): APIWebhook => {
  const webhook = known(call);
  const { guild, channel } = placeOf(call, webhook);
  if (!has(ownPermissions(call, guild, channel), 'manageWebhooks')) throw problem('missingPermissions');
  return webhook;
};

const remove = (call: Call, webhook: APIWebhook) => {
  call.context.state.webhooks.delete(webhook.id);
  announce(call, webhook);
  return null;
};

/** https://docs.discord.com/developers/resources/webhook#execute-webhook */
const execute = (call: Call) => {
  const { context, files } = call;
  const body = call.body as MessageBody;
  if (param(call, 'webhook') === context.state.application.id)
    return followUp(context, interactionByToken(context, param(call, 'token')), body, files).message;
  const webhook = known(call);
  const { guild, channel } = placeOf(call, webhook);
  checkWebhookName('username', body.username);
  checkAvatarUrl(body.avatar_url);
  const author: APIUser = {
    id: webhook.id,
    username: body.username?.trim() ?? webhook.name ?? '',
    discriminator: '0000',
    global_name: null,
    avatar: body.avatar_url ? keepAvatar(context, body.avatar_url) : webhook.avatar,
    bot: true,
  };
  const isOwned = webhook.application_id === context.state.application.id;
  const hasComponents = isOwned || call.query.get('with_components') === 'true';
  const { nonce: _, components, ...rest } = body;
  const stored = postMessage(context, {
    guild,
    channel,
    author,
    // Only Create Message has nonces.
    body: {
      ...rest,
      ...(hasComponents && components && { components }),
      flags: (rest.flags ?? 0) & ~flag.ephemeral,
    },
    files,
    authorPermissions: everyonesPermissions(guild, channel),
    more: { webhook_id: webhook.id, ...(isOwned && { application_id: context.state.application.id }) },
  });
  return call.query.get('wait') === 'true' ? stored.message : null;
};

const ownMessage = (call: Call): StoredMessage => {
  const webhook = known(call);
  const stored = placeOf(call, webhook).channel.messages.get(param(call, 'message'));
  if (!stored || stored.message.webhook_id !== webhook.id) throw problem('unknownMessage');
  return stored;
};

const isInteraction = (call: Call) => param(call, 'webhook') === call.context.state.application.id;

const getMessage = (call: Call) =>
  isInteraction(call)
    ? messageOf(interactionByToken(call.context, param(call, 'token')), param(call, 'message')).message
    : ownMessage(call).message;

const edit = (call: Call) => {
  const { context, files } = call;
  const body = call.body as MessageBody;
  if (isInteraction(call)) {
    const interaction = interactionByToken(context, param(call, 'token'));
    return editOriginal(context, interaction, body, files, messageOf(interaction, param(call, 'message')))
      .message;
  }
  const stored = ownMessage(call);
  const { guild, channel } = placeOf(call, known(call));
  const { author } = stored.message;
  return editMessage(context, stored, { guild, channel, author, body, files, authorPermissions: 0n }).message;
};

const removeMessage = (call: Call) => {
  const { context } = call;
  const interaction = isInteraction(call) ? interactionByToken(context, param(call, 'token')) : null;
  const { guild, channel } = interaction ?? placeOf(call, known(call));
  const stored = interaction ? messageOf(interaction, param(call, 'message')) : ownMessage(call);
  deleteMessage(context, guild, channel, stored);
  return null;
};

const byToken = '/webhooks/:webhook/:token';
const withoutUser = ({ user: _, ...webhook }: APIWebhook) => webhook;

export const webhookRoutes: readonly Route[] = [
  { method: 'POST', path: '/channels/:channel/webhooks', bucket: 'create-webhook', handle: create },
  {
    method: 'GET',
    path: '/channels/:channel/webhooks',
    bucket: 'list-webhooks',
    handle: (call) => ofChannel(call, channelOf(call, 'manageWebhooks').channel.id),
  },
  {
    method: 'GET',
    path: '/guilds/:guild/webhooks',
    bucket: 'list-webhooks',
    handle: (call) => {
      const guild = guildOf(call);
      if (!has(ownPermissions(call, guild), 'manageWebhooks')) throw problem('missingPermissions');
      return [...guild.channels.keys()].flatMap((id) => ofChannel(call, id));
    },
  },
  { method: 'GET', path: '/webhooks/:webhook', bucket: 'webhook', handle: managed },
  {
    method: 'DELETE',
    path: '/webhooks/:webhook',
    bucket: 'webhook',
    handle: (call) => remove(call, managed(call)),
  },
  {
    method: 'GET',
    path: byToken,
    bucket: 'webhook',
    isOpen: true,
    handle: (call) => withoutUser(known(call)),
  },
  {
    method: 'DELETE',
    path: byToken,
    bucket: 'webhook',
    isOpen: true,
    handle: (call) => remove(call, known(call)),
  },
  { method: 'POST', path: byToken, bucket: 'execute-webhook', isOpen: true, handle: execute },
  {
    method: 'GET',
    path: `${byToken}/messages/:message`,
    bucket: 'webhook-message',
    isOpen: true,
    handle: getMessage,
  },
  {
    method: 'PATCH',
    path: `${byToken}/messages/:message`,
    bucket: 'edit-webhook-message',
    isOpen: true,
    handle: edit,
  },
  {
    method: 'DELETE',
    path: `${byToken}/messages/:message`,
    bucket: 'webhook-message',
    isOpen: true,
    handle: removeMessage,
  },
];
