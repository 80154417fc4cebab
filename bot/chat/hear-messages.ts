import { once } from 'node:events';
import { Events, type Message, MessageType } from 'discord.js';
import {
  discordChatBotHttp,
  type HeardOutcome,
  longestChatLine,
  longestChatName,
  mostHeardMessages,
} from '#contracts/discord/discord-chat.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import { sleep } from '#runtime/sleep.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import { ApiFault } from '../api-client.ts';
import { cut } from '../cut.ts';
import type { BotContext } from '../guild-features.ts';
import { messageText } from './message-text.ts';

/** How many messages may wait for the API; beyond that, the newest are dropped. */
const mostWaiting = 200;
/** The API does not say older ones in the game. */
const freshMs = 60_000;
const retry = { firstMs: 500, mostMs: 5000 } as const;
/** At most one reaction a minute per author. */
const signs = { capacity: 1, refillMs: 60_000 };
const signOf: Readonly<Partial<Record<HeardOutcome, string>>> = { flooded: '⏳', held: '🚫' };

/** What a person says with a message, as a game shows it; empty: nothing, or it is no person's. */
export const heardText = (message: Message): string => {
  const { author, webhookId, type } = message;
  // Any bot that copies messages from elsewhere, this one included, would copy them in circles.
  if (author.bot || author.system || webhookId !== null) return '';
  if (type !== MessageType.Default && type !== MessageType.Reply) return '';
  return message.inGuild() ? messageText(message) : '';
};

/** Passes what people write in relayed channels to the API, in order, retrying each message until the API has accepted it. */
export const hearMessages = ({
  client,
  guildId,
  api,
  log,
  signal,
  interval,
  isHeard,
}: BotContext & {
  readonly isHeard: (channelId: string) => boolean;
}): AsyncDisposable => {
  const waiting: { readonly message: Message<true>; readonly writtenMs: number }[] = [];
  const wakes = new EventTarget();
  const signBudgets = createTokenBuckets(signs, () => performance.now());
  let isCatchingUp = false;

  const hear = (message: Message) => {
    if (message.guildId !== guildId || !isHeard(message.channelId)) return;
    if (waiting.length >= mostWaiting || !message.inGuild() || heardText(message) === '') return;
    // The clocks of this machine and of Discord may differ: only missed messages are judged by them.
    const ageMs = isCatchingUp ? Math.max(0, Date.now() - message.createdTimestamp) : 0;
    waiting.push({ message, writtenMs: performance.now() - ageMs });
    wakes.dispatchEvent(new Event('wake'));
  };
  const lost = () => {
    isCatchingUp = true;
  };
  const regained = () => {
    isCatchingUp = false;
  };
  client.on(Events.MessageCreate, hear);
  client.on(Events.ShardReconnecting, lost);
  client.on(Events.ShardResume, regained);
  client.on(Events.ShardReady, regained);

  const sign = (message: Message, outcome: HeardOutcome | undefined) => {
    const emoji = outcome && signOf[outcome];
    if (!emoji || signBudgets.tryTake(message.author.id) > 0) return;
    // A reaction is only a courtesy.
    message.react(emoji).catch(() => log.debug({ outcome }, 'could not mark a message'));
  };

  const giveNext = async (): Promise<void> => {
    const given = waiting.slice(0, mostHeardMessages);
    const messages = given.map(({ message, writtenMs }) => ({
      id: message.id,
      channelId: message.channelId,
      authorId: message.author.id,
      name: cut(message.member?.displayName ?? message.author.displayName, longestChatName),
      text: cut(messageText(message), longestChatLine),
      ageMs: Math.round(performance.now() - writtenMs),
    }));
    const { outcomes } = await api.call(discordChatBotHttp.hear, { body: { messages } }, { signal });
    waiting.splice(0, given.length);
    for (const [index, { message }] of given.entries()) sign(message, outcomes[index]);
  };

  const loop = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted; ) {
      if (waiting.length === 0) {
        await once(wakes, 'wake', { signal }).catch(() => undefined);
        continue;
      }
      try {
        await giveNext();
        failures = 0;
      } catch (error) {
        if (!(error instanceof ApiFault)) log.error({ err: error }, 'could not pass chat to the API');
        failures += 1;
        await sleep(interval(backOffDelay(retry, failures)), signal);
        while (waiting[0] && performance.now() - waiting[0].writtenMs > freshMs) waiting.shift();
      }
    }
  };
  const ended = loop();

  return {
    async [Symbol.asyncDispose]() {
      client.off(Events.MessageCreate, hear);
      client.off(Events.ShardReconnecting, lost);
      client.off(Events.ShardResume, regained);
      client.off(Events.ShardReady, regained);
      await ended;
    },
  };
};
