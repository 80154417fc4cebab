import type { ModerationReport } from '#contracts/people/players.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import { readChatRules } from '../parse-command.ts';
import type { StorefrontContext } from '../storefront-context.ts';
import type { ChatLine } from './chat-line.ts';
import { type ChatWords, chatWords } from './chat-words.ts';
import { answerLine, shownName } from './typed-text.ts';

type Told = Pick<ChatLine, 'playerId' | 'serverId' | 'name'>;
/** `perhaps`: the game has not replied, and may have shown it. */
export type Reach = 'told' | 'perhaps' | 'not';

/** How many players are remembered. */
const mostReached = 10_000;

/** Every answer goes to the very account, if no one else there has its name, or to no one. */
export type PrivateAnswers = ReturnType<typeof createPrivateAnswers>;

export const createPrivateAnswers = ({
  settings,
  whisper,
  say,
  log,
}: Pick<StorefrontContext, 'settings' | 'whisper' | 'say' | 'log'>) => {
  const reached = new Set<string>();
  const keyOf = ({ playerId, serverId }: Told) => `${playerId} ${serverId}`;

  const words = async (): Promise<ChatWords> => chatWords[(await settings.values('general')).language];

  const send = async (to: Told, text: string, secret?: string) => {
    const { playerId, serverId } = to;
    const told = await whisper({
      playerId,
      serverId,
      text: answerLine(text),
      isPersonal: true,
      ...(secret !== undefined && { secret }),
    });
    const reach = reachOf(told);
    reached.delete(keyOf(to));
    if (reach === 'told') {
      reached.add(keyOf(to));
      const [oldest] = reached;
      if (reached.size > mostReached && oldest !== undefined) reached.delete(oldest);
    } else log.info({ serverId, why: whyNot(told) }, 'could not send a player a private message');
    return { reach, isMissing: reach !== 'told' && isMissing(told) };
  };

  return {
    words,
    /**
     * Whispers one line to the account alone. If the game cannot, says in public chat that nothing was done, if that is
     * switched on. @param secret a part of the text that history and log may not show
     */
    async tell(to: Told, text: string, secret?: string): Promise<Reach> {
      const sent = await send(to, text, secret);
      // What everyone hears names no price, no points and no number.
      if (sent.isMissing && (await readChatRules(settings)).mayBroadcast)
        await say(to.serverId, answerLine((await words()).noPrivate(shownName(to.name))));
      return sent.reach;
    },
    /** Whispers what is already done, and never says that nothing was done. */
    report: async (to: Told, text: string): Promise<Reach> => (await send(to, text)).reach,
    /** Whether the player's last whisper there arrived; otherwise one has to before points are spent without a question. */
    reaches: (to: Told): boolean => reached.has(keyOf(to)),
  };
};

const reachOf = (told: ModerationReport | Refusal): Reach => {
  if (isRefusal(told)) return 'not';
  if (told.outcome !== 'answered') return 'perhaps';
  return told.verdict === 'done' || told.verdict === 'unproven' ? 'told' : 'not';
};

/** The game has no private messages, or refuses them. */
const isMissing = (told: ModerationReport | Refusal): boolean =>
  isRefusal(told) ? told.refused === 'NO_SUCH_COMMAND' : told.verdict === 'failed';

const whyNot = (told: ModerationReport | Refusal): string =>
  isRefusal(told) ? told.refused : `${told.outcome} ${told.verdict ?? ''}`;
