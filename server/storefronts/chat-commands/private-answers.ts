import type { Language } from '#contracts/kernel/language.ts';
import type { ModerationReport } from '#contracts/people/players.ts';
import type { Log } from '#runtime/log.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import type { ChatLine } from './chat-commands.ts';
import { type ChatWords, chatWords } from './chat-words.ts';
import { answerLine, shownName } from './typed-text.ts';

type Whisper = (told: {
  readonly playerId: string;
  readonly serverId: string;
  readonly text: string;
  readonly secret?: string;
  readonly isPersonal?: boolean;
}) => Promise<ModerationReport | Refusal>;

export interface PrivateAnswersOptions {
  readonly whisper: Whisper;
  /** Says a line in public chat. */
  readonly say: (serverId: string, text: string) => Promise<boolean>;
  readonly language: () => Promise<Language>;
  readonly mayBroadcast: () => Promise<boolean>;
  readonly log: Log;
}

type Told = Pick<ChatLine, 'playerId' | 'serverId' | 'name'>;
/** `perhaps`: the game has not replied, and may have shown it. */
export type Reach = 'told' | 'perhaps' | 'not';

export interface PrivateAnswers {
  words(): Promise<ChatWords>;
  /**
   * Whispers one line to the account alone. If the game cannot, says in public chat that nothing was done, if that is
   * switched on. @param secret a part of the text that history and log may not show
   */
  tell(to: Told, text: string, secret?: string): Promise<Reach>;
  /** Whispers what is already done, and never says that nothing was done. */
  report(to: Told, text: string): Promise<Reach>;
  /** Whether the player's last whisper there arrived; otherwise one has to before points are spent without a question. */
  reaches(to: Told): boolean;
}

/** How many players are remembered. */
const mostReached = 10_000;

/** Every answer goes to the very account, if no one else there has its name, or to no one. */
export const createPrivateAnswers = (options: PrivateAnswersOptions): PrivateAnswers => {
  const { whisper, say, language, mayBroadcast, log } = options;
  const reached = new Set<string>();
  const keyOf = ({ playerId, serverId }: Told) => `${playerId} ${serverId}`;

  const words = async () => chatWords[await language()];

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
    async tell(to, text, secret) {
      const sent = await send(to, text, secret);
      // What everyone hears names no price, no points and no number.
      if (sent.isMissing && (await mayBroadcast()))
        await say(to.serverId, answerLine((await words()).noPrivate(shownName(to.name))));
      return sent.reach;
    },
    report: async (to, text) => (await send(to, text)).reach,
    reaches: (to) => reached.has(keyOf(to)),
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
