import { randomBytes } from 'node:crypto';
import type { Context } from './context.ts';
import { type Component, componentFaults, flag, type MessageBody } from './message-form.ts';
import { editMessage, type Post, postMessage } from './messages.ts';
import { permissionsOf } from './permissions.ts';
import { invalidForm, problem } from './problems.ts';
import type { Channel, Guild, StoredFile, StoredMessage } from './state.ts';

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-interaction-type */
export const interactionType = { command: 2, component: 3, autocomplete: 4, modalSubmit: 5 } as const;
type InteractionType = (typeof interactionType)[keyof typeof interactionType];

/** ...#interaction-response-object-interaction-callback-type */
const callbackType = {
  message: 4,
  deferredMessage: 5,
  deferredUpdate: 6,
  update: 7,
  choices: 8,
  modal: 9,
} as const;

export interface Choice {
  readonly name: string;
  readonly value: string | number;
}

export interface Modal {
  readonly custom_id: string;
  readonly title: string;
  readonly components: readonly Component[];
}

/** The first thing that the person sees. `failed`: no answer within the deadline. */
export type Answer =
  | { readonly kind: 'message' | 'update'; readonly isEphemeral: boolean; readonly message: StoredMessage }
  | { readonly kind: 'deferred'; readonly isEphemeral: boolean }
  | { readonly kind: 'deferred-update' | 'failed' }
  | { readonly kind: 'choices'; readonly choices: readonly Choice[] }
  | { readonly kind: 'modal'; readonly modal: Modal };

export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly type: InteractionType;
  readonly createdAt: number;
  readonly guild: Guild;
  readonly channel: Channel;
  readonly userId: string;
  /** The command's name, with its subcommand. */
  readonly name: string;
  /** The message with the pressed button, including one that led to the modal. */
  readonly source: StoredMessage | null;
  /** The app's first answer, or the fact that none came. */
  readonly answer: Promise<Answer>;
  /** The final message of an answer, an update or a deferral of either; null if there is none. */
  readonly message: Promise<StoredMessage | null>;
  readonly followUps: readonly StoredMessage[];
}

/** Additional state for the endpoints. */
interface Progress {
  readonly answered: PromiseWithResolvers<Answer>;
  readonly shown: PromiseWithResolvers<StoredMessage | null>;
  readonly followUps: StoredMessage[];
  /** The person was told that no answer came. */
  hasExpired: boolean;
  acknowledgedBy: number | null;
  original: StoredMessage | null;
}
const progressOf = new WeakMap<Interaction, Progress>();

export type InteractionOpening = Pick<
  Interaction,
  'type' | 'guild' | 'channel' | 'userId' | 'name' | 'source'
>;

/** Starts waiting for the app; the caller sends the event. */
export const openInteraction = (context: Context, opening: InteractionOpening): Interaction => {
  const answered = Promise.withResolvers<Answer>();
  const shown = Promise.withResolvers<StoredMessage | null>();
  const followUps: StoredMessage[] = [];
  const interaction: Interaction = {
    ...opening,
    id: context.nextId(),
    token: randomBytes(64).toString('base64url'),
    createdAt: context.now(),
    answer: answered.promise,
    message: shown.promise,
    followUps,
  };
  progressOf.set(interaction, {
    answered,
    shown,
    followUps,
    acknowledgedBy: null,
    original: null,
    hasExpired: false,
  });
  context.state.interactions.set(interaction.id, interaction);
  const deadline = setTimeout(() => {
    progressIn(interaction).hasExpired = true;
    answered.resolve({ kind: 'failed' });
    shown.resolve(null);
  }, context.settings.interactionDeadlineMs);
  deadline.unref();
  void answered.promise.then(() => clearTimeout(deadline));
  return interaction;
};

const progressIn = (interaction: Interaction): Progress => {
  const progress = progressOf.get(interaction);
  if (!progress) throw new Error('an interaction that was never opened');
  return progress;
};

interface Callback {
  readonly type: number;
  readonly data?: MessageBody & Partial<Modal> & { readonly choices?: readonly Choice[] };
}

const mostChoices = 25;

const callbackFault = (message: string) =>
  invalidForm([{ path: ['type'], code: 'BASE_TYPE_CHOICES', message }]);

const isCallbackFor = ({ type, source }: Interaction, callback: number): boolean => {
  if (type === interactionType.autocomplete) return callback === callbackType.choices;
  if (callback === callbackType.choices) return false;
  if (callback === callbackType.modal) return type !== interactionType.modalSubmit;
  if (callback === callbackType.update || callback === callbackType.deferredUpdate) return source !== null;
  return callback === callbackType.message || callback === callbackType.deferredMessage;
};

const postOf = (
  context: Context,
  interaction: Interaction,
  body: MessageBody,
  files: Post['files'],
): Post => {
  const { guild, channel, userId, type, id, name, source } = interaction;
  const { application } = context.state;
  const member = guild.members.get(userId);
  const user = member?.user ?? context.state.users.get(userId) ?? application.user;
  const isEphemeral = ((body.flags ?? 0) & flag.ephemeral) !== 0;
  const bySource = source && { interacted_message_id: source.message.id };
  return {
    guild,
    channel,
    author: application.user,
    body,
    files: files ?? new Map<string, StoredFile>(),
    visibleTo: isEphemeral ? userId : null,
    authorPermissions: permissionsOf(guild, application.id, channel),
    more: {
      type: type === interactionType.command ? 20 : 0,
      webhook_id: application.id,
      application_id: application.id,
      interaction_metadata: {
        id,
        type,
        user,
        authorizing_integration_owners: { 0: guild.id },
        ...bySource,
      } as never,
      ...(type === interactionType.command && { interaction: { id, type, name, user } as never }),
    },
  };
};

/** POST /interactions/:id/:token/callback. */
export const answerInteraction = (
  context: Context,
  interaction: Interaction,
  { type, data = {} }: Callback,
  files: Post['files'],
): void => {
  const progress = progressIn(interaction);
  const isLate =
    progress.hasExpired || context.now() > interaction.createdAt + context.settings.interactionDeadlineMs;
  if (progress.acknowledgedBy !== null) throw problem('alreadyAcknowledged');
  if (isLate) throw problem('unknownInteraction');
  if (!isCallbackFor(interaction, type))
    throw callbackFault(`Type ${type} does not answer an interaction of type ${interaction.type}.`);
  const isEphemeral = ((data.flags ?? 0) & flag.ephemeral) !== 0;
  const acknowledge = (answer: Answer) => {
    progress.acknowledgedBy = type;
    progress.answered.resolve(answer);
  };
  if (type === callbackType.choices) {
    const { choices = [] } = data;
    if (choices.length > mostChoices || choices.some(({ name }) => !name || name.length > 100)) {
      const message = `Must be ${mostChoices} or fewer in length, of 1 to 100 characters each.`;
      throw invalidForm([{ path: ['data', 'choices'], code: 'BASE_TYPE_BAD_LENGTH', message }]);
    }
    acknowledge({ kind: 'choices', choices });
  } else if (type === callbackType.modal) {
    acknowledge({ kind: 'modal', modal: checkedModal(data) });
  } else if (type === callbackType.deferredMessage) {
    const body = { flags: (data.flags ?? 0) & flag.ephemeral };
    progress.original = postMessage(context, {
      ...postOf(context, interaction, body, files),
      isLoading: true,
    });
    acknowledge({ kind: 'deferred', isEphemeral });
  } else if (type === callbackType.deferredUpdate) {
    progress.original = interaction.source;
    acknowledge({ kind: 'deferred-update' });
  } else if (type === callbackType.update && interaction.source) {
    const message = editMessage(context, interaction.source, postOf(context, interaction, data, files));
    progress.original = message;
    acknowledge({ kind: 'update', isEphemeral: message.visibleTo !== null, message });
    progress.shown.resolve(message);
  } else {
    const message = postMessage(context, postOf(context, interaction, data, files));
    progress.original = message;
    acknowledge({ kind: 'message', isEphemeral, message });
    progress.shown.resolve(message);
  }
  if (type === callbackType.choices || type === callbackType.modal) progress.shown.resolve(null);
};

const checkedModal = ({ custom_id = '', title = '', components = [] }: Partial<Modal>): Modal => {
  const faults = componentFaults(components, false);
  const length = (path: string, text: string, most: number) => {
    if (text.length >= 1 && text.length <= most) return;
    const message = `Must be between 1 and ${most} in length.`;
    faults.push({ path: ['data', path], code: 'BASE_TYPE_BAD_LENGTH', message });
  };
  length('custom_id', custom_id, 100);
  length('title', title, 45);
  if (components.length === 0) length('components', '', 5);
  if (faults.length > 0) throw invalidForm(faults);
  return { custom_id, title, components };
};

/** The interaction of a follow-up's token, if it was acknowledged and the token is still valid. */
export const interactionByToken = (context: Context, token: string): Interaction => {
  const found = [...context.state.interactions.values()].find((interaction) => interaction.token === token);
  if (!found || progressIn(found).acknowledgedBy === null) throw problem('unknownWebhook');
  if (context.now() > found.createdAt + context.settings.interactionLifeMs)
    throw problem('invalidWebhookToken');
  return found;
};

/**
 * POST /webhooks/:application/:token. Right after a deferral it fills in the deferred answer.
 * https://docs.discord.com/developers/interactions/receiving-and-responding#create-followup-message
 */
export const followUp = (
  context: Context,
  interaction: Interaction,
  body: MessageBody,
  files: Post['files'],
): StoredMessage => {
  const { original, followUps } = progressIn(interaction);
  if (original && ((original.message.flags ?? 0) & flag.loading) !== 0)
    return editOriginal(context, interaction, body, files);
  const message = postMessage(context, {
    ...postOf(context, interaction, body, files),
  });
  followUps.push(message);
  return message;
};

/** The message for '@original' or a follow-up's id. */
export const messageOf = (interaction: Interaction, id: string): StoredMessage => {
  const { original, followUps } = progressIn(interaction);
  const found =
    id === '@original' ? original : [original, ...followUps].find((one) => one?.message.id === id);
  if (!found || found.isDeleted) throw problem('unknownMessage');
  return found;
};

export const editOriginal = (
  context: Context,
  interaction: Interaction,
  body: MessageBody,
  files: Post['files'],
  stored: StoredMessage = messageOf(interaction, '@original'),
): StoredMessage => {
  const progress = progressIn(interaction);
  const message = editMessage(context, stored, postOf(context, interaction, body, files));
  if (stored === progress.original) progress.shown.resolve(message);
  return message;
};

/** ?with_response=true. https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-callback */
export const callbackResponse = (interaction: Interaction, type: number) => {
  const message = progressIn(interaction).original?.message;
  const isMessage = [callbackType.message, callbackType.update, callbackType.deferredMessage].some(
    (one) => one === type,
  );
  return {
    interaction: {
      id: interaction.id,
      type: interaction.type,
      ...(isMessage &&
        message && {
          response_message_id: message.id,
          response_message_loading: ((message.flags ?? 0) & flag.loading) !== 0,
          response_message_ephemeral: ((message.flags ?? 0) & flag.ephemeral) !== 0,
        }),
    },
    resource: { type, ...(isMessage && message && { message }) },
  };
};
