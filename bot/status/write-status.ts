import { type APIMessage, type Client, MessageFlags, Routes } from 'discord.js';
import type { RemovedMessage, StatusBoard, StatusOutcome } from '#contracts/discord/discord-status.ts';
import { faultOf, findOwnMessage, untilEnded } from '../discord-request.ts';
import type { HeldMessage } from './held-message.ts';
import { digestOf, isStatusOf, statusBody } from './status-message.ts';

interface Writing {
  readonly client: Client<true>;
  readonly signal: AbortSignal;
}

/** The result in Discord; `in-doubt`: it may have been done; null: there was nothing to do. */
export type Written = StatusOutcome | 'in-doubt' | null;

/** Whether there is anything to do in Discord. */
export const isWanting = ({ order, language, isChecked }: HeldMessage): boolean => {
  const { messageId, post: asked, board, shown } = order;
  if (messageId === null) return asked !== null && board !== null;
  return !isChecked || (board !== null && shown?.digest !== digestOf(board, language));
};

/** Posts a message unless it already exists, or updates the existing one. */
export const writeStatus = (writing: Writing, held: HeldMessage): Promise<Written> =>
  held.order.messageId === null ? post(writing, held) : refresh(writing, held, held.order.messageId);

const post = async ({ client, signal }: Writing, held: HeldMessage): Promise<Written> => {
  const { order, language, isInDoubt } = held;
  const { channelId, board, post: asked } = order;
  if (!asked || !board) return null;
  if (asked.isRepeat || isInDoubt) {
    const isIt = (message: APIMessage) => isStatusOf(asked.id, message);
    const found = await findOwnMessage({ client, channelId, since: asked.openedAt, isIt, signal });
    if (found === 'refused') return { outcome: 'refused' };
    if (found === 'in-doubt') return 'in-doubt';
    if (found) return { outcome: 'posted', post: asked.id, channelId, messageId: found.id, shown: null };
  }
  const body = {
    ...statusBody({ board, language, post: asked.id }),
    nonce: asked.id,
    enforce_nonce: true,
  };
  try {
    const made = await untilEnded<APIMessage>(
      (ended) => client.rest.post(Routes.channelMessages(channelId), { body, signal: ended }),
      signal,
    );
    const shown = { digest: digestOf(board, language), editedAt: made.edited_timestamp };
    return { outcome: 'posted', post: asked.id, channelId, messageId: made.id, shown };
  } catch (error) {
    const fault = faultOf(error);
    if (fault === 'in-doubt') held.isInDoubt = true;
    if (fault === 'in-doubt') return 'in-doubt';
    return fault === 'gone' ? { outcome: 'gone', messageId: null, post: asked.id } : { outcome: 'refused' };
  }
};

const refresh = async (writing: Writing, held: HeldMessage, messageId: string): Promise<Written> => {
  const { client, signal } = writing;
  const { channelId, board, shown } = held.order;
  if (!held.isChecked) {
    try {
      const message = await untilEnded<APIMessage>(
        (ended) => client.rest.get(Routes.channelMessage(channelId, messageId), { signal: ended }),
        signal,
      );
      // A different edit time means a write that was never confirmed, such as the notice that the API is unreachable.
      const isHidden = ((message.flags ?? 0) & MessageFlags.SuppressEmbeds) !== 0;
      const isAsConfirmed = shown !== null && message.edited_timestamp === shown.editedAt && !isHidden;
      if (!isAsConfirmed) held.order = { ...held.order, shown: null };
      held.isChecked = true;
    } catch (error) {
      return outcomeOf(error, messageId);
    }
  }
  if (!board || held.order.shown?.digest === digestOf(board, held.language)) return null;
  return editTo(writing, held, messageId, { board });
};

/** Writes that nothing is known of the servers while the API is unreachable. */
export const writeAway = async (writing: Writing, held: HeldMessage, awaySince: Date): Promise<Written> => {
  const { order, lastBoard: board } = held;
  if (order.messageId === null || !board) return null;
  return editTo(writing, held, order.messageId, { board, awaySince });
};

const editTo = async (
  { client, signal }: Writing,
  { order: { channelId }, language, mark }: HeldMessage,
  messageId: string,
  what: { readonly board: StatusBoard; readonly awaySince?: Date },
): Promise<Written> => {
  // A person who may manage messages may have hidden the embed.
  const body = { ...statusBody({ language, ...what, ...(mark !== null && { post: mark }) }), flags: 0 };
  try {
    const edited = await untilEnded<APIMessage>(
      (ended) => client.rest.patch(Routes.channelMessage(channelId, messageId), { body, signal: ended }),
      signal,
    );
    const shown = { digest: digestOf(what.board, language), editedAt: edited.edited_timestamp };
    return { outcome: 'edited', messageId, shown };
  } catch (error) {
    return outcomeOf(error, messageId);
  }
};

const outcomeOf = (error: unknown, messageId: string): Written => {
  const fault = faultOf(error);
  if (fault === 'in-doubt') return 'in-doubt';
  if (fault === 'gone') return { outcome: 'gone', messageId, post: null };
  return fault === 'frozen' ? { outcome: 'frozen', messageId } : { outcome: 'refused' };
};

/** @returns gone: it no longer exists, or never did */
export const deleteStatus = async (
  { client, signal }: Writing,
  { channelId, messageId, post: asked }: RemovedMessage,
): Promise<'gone' | 'refused' | 'in-doubt'> => {
  let id = messageId;
  if (id === null && asked) {
    const isIt = (message: APIMessage) => isStatusOf(asked.id, message);
    const found = await findOwnMessage({ client, channelId, since: asked.openedAt, isIt, signal });
    if (found === 'refused' || found === 'in-doubt') return found;
    id = found?.id ?? null;
  }
  if (id === null) return 'gone';
  const route = Routes.channelMessage(channelId, id);
  try {
    await untilEnded((ended) => client.rest.delete(route, { signal: ended }), signal);
    return 'gone';
  } catch (error) {
    const fault = faultOf(error);
    return fault === 'gone' || fault === 'in-doubt' ? fault : 'refused';
  }
};
