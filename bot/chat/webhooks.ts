import { type APIWebhook, DiscordAPIError, REST, Routes } from 'discord.js';
import type { ChatPost } from '#contracts/discord/discord-chat.ts';
import type { SignedInClient } from '../discord-client.ts';
import { untilEnded } from '../discord-request.ts';
import { chatMessage, formOf, type MessageForm } from './chat-message.ts';

/**
 * - `refused`: not possible in this channel as it is now
 * - `unpostable`: not possible in any channel
 * - `in-doubt`: it may have been posted
 */
type WebhookOutcome =
  | { readonly kind: 'posted'; readonly messageId: string }
  | { readonly kind: 'refused' | 'too-many-webhooks' | 'unpostable' | 'in-doubt' };

interface Webhooks extends Disposable {
  /** Never rejects. */
  post(post: ChatPost, avatarUrl: string | null): Promise<WebhookOutcome>;
}

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
const code = { unknownWebhook: 10_015, tooManyWebhooks: 30_007, wrongWebhookToken: 50_027 } as const;
const webhookName = 'Castellan chat';

interface OwnWebhook {
  readonly id: string;
  readonly token: string;
}

type Failure = Exclude<WebhookOutcome['kind'], 'posted'> | 'webhook-gone';

/** The error itself is never logged or reported: it contains the webhook's URL, and so its token. */
const failureOf = (error: unknown): Failure => {
  if (!(error instanceof DiscordAPIError)) return 'in-doubt';
  if (error.code === code.unknownWebhook || error.code === code.wrongWebhookToken) return 'webhook-gone';
  if (error.code === code.tooManyWebhooks) return 'too-many-webhooks';
  if (error.status === 400 || error.status === 413) return 'unpostable';
  return error.status === 401 || error.status >= 500 ? 'in-doubt' : 'refused';
};

/** Keeps one webhook per channel, reusing the bot's own or creating it. Its token is held in memory only. */
export const createWebhooks = (client: SignedInClient, signal: AbortSignal): Webhooks => {
  // discord.js retries what fails, and a webhook message has no nonce: a retry could post it twice.
  const { api, version } = client.rest.options;
  const rest = new REST({ api, version, retries: 0 });
  const known = new Map<string, OwnWebhook>();

  const isOwn = ({ application_id, token }: APIWebhook) => application_id === client.application.id && token;
  /** @throws whatever error Discord answers with */
  const webhookOf = async (channelId: string): Promise<OwnWebhook> => {
    const remembered = known.get(channelId);
    if (remembered) return remembered;
    const route = Routes.channelWebhooks(channelId);
    const all = await untilEnded<readonly APIWebhook[]>(
      (ended) => client.rest.get(route, { signal: ended }),
      signal,
    );
    const body = { name: webhookName };
    const { id, token = '' } =
      all.find(isOwn) ??
      (await untilEnded<APIWebhook>((ended) => client.rest.post(route, { body, signal: ended }), signal));
    known.set(channelId, { id, token });
    return { id, token };
  };

  const tryOnce = async (
    post: ChatPost,
    form: MessageForm,
    avatarUrl: string | null,
  ): Promise<string | Failure> => {
    let own: OwnWebhook;
    try {
      own = await webhookOf(post.channelId);
    } catch (error) {
      const failure = failureOf(error);
      // Nothing is posted yet, so a webhook problem counts as a refusal, which is retried.
      return failure === 'unpostable' || failure === 'webhook-gone' ? 'refused' : failure;
    }
    try {
      const body = chatMessage(post, form, avatarUrl);
      const query = new URLSearchParams({ wait: 'true' });
      const route = Routes.webhook(own.id, own.token);
      // Tracked as a message into the channel: the webhook's own address contains its token.
      const asked = { method: 'POST', path: Routes.channelMessages(post.channelId) };
      const made = await client.traffic.track(asked, () =>
        untilEnded<{ readonly id: string; readonly channel_id: string }>(
          (ended) => rest.post(route, { auth: false, body, query, signal: ended }),
          signal,
        ),
      );
      // Someone moved the webhook to another channel: the next post looks for one in its own channel.
      if (made.channel_id !== post.channelId) known.delete(post.channelId);
      return made.id;
    } catch (error) {
      const failure = failureOf(error);
      if (failure === 'webhook-gone') known.delete(post.channelId);
      return failure;
    }
  };

  return {
    async post(post, avatarUrl) {
      let outcome = await tryOnce(post, formOf(post), avatarUrl);
      if (outcome === 'webhook-gone') outcome = await tryOnce(post, formOf(post), avatarUrl);
      // Discord may dislike the name or the picture: try without either.
      if (outcome === 'unpostable') outcome = await tryOnce(post, 'plain', null);
      switch (outcome) {
        case 'webhook-gone':
          return { kind: 'refused' };
        case 'refused':
        case 'too-many-webhooks':
        case 'unpostable':
        case 'in-doubt':
          return { kind: outcome };
        default:
          return { kind: 'posted', messageId: outcome };
      }
    },
    [Symbol.dispose]() {
      rest.clearHashSweeper();
      rest.clearHandlerSweeper();
    },
  };
};
